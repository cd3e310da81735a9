/*
 * What all metrics of a trial came to: quantiles of each column of numbers in its request_metrics.csv, and of the queue in its
 * worker_timeline.csv. Made once and kept as metrics.json in the trial's directory, with size and mtime of the files it was
 * made from: another size or time, and it is made again.
 */
#ifndef DIGEST_H
#define DIGEST_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

enum { DIGEST_SIZE = 6 };

/* The quantiles, ascending, and their names: 0.5, 0.9, 0.95, 0.99, 0.999, max. */
extern const double digest_quantiles[DIGEST_SIZE];
extern const char *const digest_names[DIGEST_SIZE];

struct digest_metric {
	char *name;
	double values[DIGEST_SIZE]; /* may be infinite; never NAN */
};

struct digest {
	struct digest_metric *list; /* in the order of the file's columns; those without a value are not in it */
	size_t num;
	bool has_rows;              /* there is a request_metrics.csv: */
	double num_rows, num_failed; /* its rows, and those of them with an error */
};

/*
 * The digest of the trial in DIRECTORY, kept or made; exact quantiles (quantile.h) over the values that are there in rows that did
 * not fail. Of a large file some columns at a time are in memory (40 MB each for 5 million rows), and it is read again for the others.
 * A timeline of more than 64 MiB is left out. EX_IOERR, EX_DATAERR for what is no such file. That the digest cannot be
 * kept is no error. Returns 0 or -1; then nothing is to be freed.
 */
int digest_read(const char *directory, struct digest *digest, struct error *e);
void digest_free(struct digest *digest);

/* The metric NAME, or NULL. */
const struct digest_metric *digest_find(const struct digest *digest, const char *name);

#endif
