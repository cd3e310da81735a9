/* How long each of many workers had queues of each depth: summed up, so that memory does not grow with the rows. */
#ifndef LEVELS_H
#define LEVELS_H

#include <stdbool.h>
#include <stddef.h>

struct level {
	double worker; /* its number */
	double depth;  /* requests waiting */
	double sum;    /* seconds, above 0; 0: a free place. After levels_sort() summed over the worker's levels so far */
};

struct levels { /* zeroed at first */
	struct level *list; /* until levels_sort() a hash table of ROOM places, then COUNT levels by worker and depth */
	size_t count;
	size_t room;
	double **sums;      /* until levels_sort() for each of NUM_WORKERS NULL, or the sums for each depth that is a small whole number */
	size_t num_workers;
	size_t num_added;
};

/* Adds DURATION, above 0, to its level. */
void levels_add(struct levels *levels, size_t worker, double depth, double duration);
void levels_sort(struct levels *levels);

/*
 * The largest over the workers of the smallest depth whose summed duration reaches QUANTILE (0 to 1) of the worker's total,
 * into *DEPTH. False if it is so close that the order of the additions, and so their rounding, matters.
 */
bool levels_depth(const struct levels *levels, double quantile, double *depth);
void levels_free(struct levels *levels);

#endif
