#include "sieve.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "quantile.h"

#define MARGIN 5 /* standard errors */

void
sieve_start(struct sieve *sieve)
{
	*sieve = (struct sieve){ .low = -INFINITY, .high = INFINITY };
}

void
sieve_grow(struct sieve *sieve)
{
	sieve->room = sieve->room ? sieve->room * 2 : 1024;
	sieve->inside = memory_resize(sieve->inside, sieve->room, sizeof *sieve->inside);
}

/* The value of rank K (from 0). False if it is not in the window. */
static bool
value_at(struct sieve *s, double rank, double extra, double *value)
{
	size_t k;

	if (rank < 0 || rank >= (double)s->num) {
		*value = extra;
		return true;
	}
	k = (size_t)rank;
	if (k < s->num_below || k >= s->num_high)
		return false;
	*value = k < s->num_low ? s->low
	    : k < s->num_low + s->num_inside ? quantile_select(s->inside, s->num_inside, k - s->num_low) : s->high;
	return true;
}

bool
sieve_quantile(struct sieve *sieve, double quantile, double num_extra, double extra, double *value)
{
	double n = (double)sieve->num + num_extra, position = quantile * (n - 1), rank = floor(position), a, b;
	double k = extra < 0 ? rank - num_extra : rank; /* among the values */

	*value = NAN;
	if (n == 0)
		return true;
	if (!value_at(sieve, k, extra, &a) || !value_at(sieve, rank < position ? k + 1 : k, extra, &b))
		return false;
	*value = quantile_between(a, b, position - rank);
	return true;
}

void
sieve_narrow(struct sieve *sieve, double quantile, double num_extra, double extra, double num_places)
{
	double n = (double)sieve->num + num_extra, k = quantile * n - (extra < 0 ? num_extra : 0);
	double margin = n * MARGIN * sqrt((quantile * (1 - quantile) + 1 / num_places) / num_places);
	double low = -INFINITY, high = INFINITY;

	if (k - margin >= 0 && k - margin < (double)sieve->num)
		low = quantile_select(sieve->inside, sieve->num, (size_t)(k - margin));
	if (k + margin >= 0 && k + margin < (double)sieve->num)
		high = quantile_select(sieve->inside, sieve->num, (size_t)(k + margin));
	sieve_free(sieve);
	sieve_start(sieve);
	sieve->low = low;
	sieve->high = high;
}

void
sieve_free(struct sieve *sieve)
{
	free(sieve->inside);
	sieve->inside = NULL;
	sieve->room = 0;
}
