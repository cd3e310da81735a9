/*
 * Some ranks of very many numbers, of which only those in a window are kept: the others are counted. Where
 * the window has the rank that is asked for, the answer is exact; where it has not, it says so.
 */
#ifndef SIEVE_H
#define SIEVE_H

#include <stdbool.h>
#include <stddef.h>

struct sieve {
	double low, high;          /* the window */
	size_t num;                /* values: */
	size_t num_below;          /* those below LOW, */
	size_t num_low, num_high;  /* those that are LOW or HIGH, or LOW where both are the same, */
	size_t num_inside;         /* those between, which are kept; the others are above */
	double *inside;
	size_t room;
};

/* A sieve with a window that holds all there is. */
void sieve_start(struct sieve *sieve);

/* Adds the NUM values that are no NAN. */
void sieve_add(struct sieve *sieve, const double *values, size_t num);

/* quantile_linear() of the values; false if they are not in the window. */
bool sieve_quantile(struct sieve *sieve, double quantile, double num_extra, double extra, double *value);

/*
 * Empties SIEVE, and leaves a window that holds the quantile of a thousand times more values, if those in SIEVE
 * (whose window holds all there is) are from everywhere among them, of COUNT places. The arguments as for sieve_quantile().
 */
void sieve_narrow(struct sieve *sieve, double quantile, double num_extra, double extra, double num_places);
void sieve_free(struct sieve *sieve);

#endif
