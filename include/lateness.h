/*
 * How late a program was to do what was due, over millions of times in constant memory: a histogram of
 * nanoseconds with 64 cells for each power of two, so that quantiles are exact to 1.6 %.
 */
#ifndef LATENESS_H
#define LATENESS_H

#include <stdint.h>

enum { LATENESS_CELLS = 64 * 58 };

struct lateness {
	uint64_t cells[LATENESS_CELLS]; /* zeroed at first */
	uint64_t count;
	double max; /* seconds, exact */
};

/* SECONDS, less than 0 counts as 0. */
void lateness_add(struct lateness *lateness, double seconds);

/* In seconds, the upper end of the cell where the QUANTILE (0 to 1) lies; 0 with nothing added. */
double lateness_quantile(const struct lateness *lateness, double quantile);

#endif
