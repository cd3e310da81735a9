/*
 * Some ranks of very many numbers, of which only those in a window are kept: the others are counted. Where
 * the window has the rank that is asked for, the answer is exact; where it has not, it says so.
 */
#ifndef SIEVE_H
#define SIEVE_H

#include <stdbool.h>
#include <stddef.h>

struct sieve {
	double low, high;         /* the window */
	size_t num;               /* values, */
	size_t num_below;         /* those of them below LOW, */
	size_t num_low, num_high; /* up to LOW, up to HIGH, */
	size_t num_inside;        /* and between both: these are kept */
	double *inside;
	size_t room;
};

/* A sieve with a window that holds all there is. */
void sieve_start(struct sieve *sieve);

/* Makes room for more values. */
void sieve_grow(struct sieve *sieve);

/* VALUE is no NAN. */
static inline void
sieve_add(struct sieve *sieve, double value)
{
	if (sieve->num_inside == sieve->room)
		sieve_grow(sieve);
	sieve->num++;
	sieve->num_below += value < sieve->low;
	sieve->num_low += value <= sieve->low;
	sieve->num_high += value <= sieve->high;
	sieve->inside[sieve->num_inside] = value;
	sieve->num_inside += (value > sieve->low) & (value < sieve->high);
}

/* quantile_linear() of the values; false if they are not in the window. */
bool sieve_quantile(struct sieve *sieve, double quantile, double num_extra, double extra, double *value);

/*
 * Empties SIEVE, and leaves a window that holds the quantile of a thousand times more values, if those in SIEVE
 * (all of them inside) are from everywhere among them, of COUNT places. The arguments as for sieve_quantile().
 */
void sieve_narrow(struct sieve *sieve, double quantile, double num_extra, double extra, double num_places);
void sieve_free(struct sieve *sieve);

#endif
