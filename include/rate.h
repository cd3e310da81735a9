/* Request rates, in requests per second, as the search counts them: to four decimals. */
#ifndef RATE_H
#define RATE_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

enum { RATE_TEXT_MAX = 32 };

#define RATE_MAX 1e9

/* QPS to four decimals, ties to even, as Python's round(qps, 4). */
double rate_round(double qps);

/* QPS rounded down to four decimals, for caps. */
double rate_floor(double qps);

/* Whether QPS can be a rate: finite, at most RATE_MAX, above 0 after rounding. */
bool rate_is_valid(double qps);

/* QPS rounded, without trailing zeros: 2, 7.25, 0.0312; the name of a trial's directory. Returns TEXT. */
char *rate_text(double qps, char text[RATE_TEXT_MAX]);

/* Reads one rate. EX_USAGE in E, naming WHAT, if it is none. Returns 0 or -1. */
int rate_parse(const char *what, const char *text, double *qps, struct error *e);

/* Reads a comma-separated list, not empty: *RATES is to be freed. Errors as above. */
int rate_parse_list(const char *what, const char *text, double **rates, size_t *count, struct error *e);

#endif
