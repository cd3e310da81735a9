/*
 * The results of all jobs of an output directory, in the order of the config: one summary a job. The
 * order is that of JOBS in the directory's generated Makefile; a job whose summary is missing or cannot
 * be read is in the list with an error that says so.
 */
#ifndef RESULTS_H
#define RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "error.h"
#include "summary.h"

struct results {
	char *output_dir;         /* as it was given, without slashes at its end */
	struct summary *list;
	char **directories;       /* of the same jobs, below OUTPUT_DIR/jobs */
	size_t num;
	size_t num_errors;        /* jobs that have an error, those without a summary among them */
	size_t num_missing;       /* jobs that have no summary yet */
	char **broken;            /* paths of the summaries that are there and cannot be read; faults says why */
	size_t num_broken;
	struct error faults;      /* EX_DATAERR or EX_IOERR */
	struct timespec latest;   /* mtime of the latest summary; 0 when one is missing or cannot be read */
};

/*
 * Reads all of OUTPUT_DIR. A job without a summary that is being searched (its .lock is held) is waited for if PATIENT.
 * Errors are those of roster_read(). Returns 0 or -1; then nothing is to be freed.
 */
int results_read(const char *output_dir, bool patient, struct results *results, struct error *e);
void results_free(struct results *results);

/* The list as JSON, indented, and as CSV with a header line (RFC 4180 but for its line ends; both to be freed). */
char *results_json(const struct results *results);
char *results_csv(const struct results *results);

/*
 * Writes capacity_search_results.csv, then capacity_search_results.json, each with the mtime of the
 * latest summary; what says the same is kept. A summary that cannot be read is made old, so that make
 * remakes it. EX_CANTCREAT, EX_IOERR.
 */
int results_write(const struct results *results, struct error *e);

#endif
