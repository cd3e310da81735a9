/* How the requests of a trial are distributed: quantiles of metrics of its request_metrics.csv. */
#ifndef DISTRIBUTION_H
#define DISTRIBUTION_H

#include <stddef.h>

#include "error.h"

enum { DISTRIBUTION_SIZE = 11, DISTRIBUTION_Q90 = 4 };

/* 0.5 to 0.999, ascending. */
extern const double distribution_quantiles[DISTRIBUTION_SIZE];

struct distribution {
	double values[DISTRIBUTION_SIZE]; /* NAN: no such column, or no values; infinite: failed requests */
};

/*
 * Fills LIST with the quantiles of the NUM METRICS in PATH, exact, as quantile.h has them: NUM_FAILED more requests count as WORST
 * of the metric, an infinity. Of a large file it has some columns in memory at a time (40 MB for 5 million requests each) and reads it again
 * for the others. EX_NOINPUT, EX_IOERR, EX_DATAERR. Returns 0 or -1.
 */
int distribution_read(const char *path, const char *const *metrics, const double *worst, size_t num, double num_failed,
    struct distribution *list, struct error *e);

#endif
