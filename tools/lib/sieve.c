#include "sieve.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "quantile.h"

#define MARGIN 5 /* standard errors */

enum { AT_ONCE = 512 };

void
sieve_start(struct sieve *sieve)
{
	*sieve = (struct sieve){ .low = -INFINITY, .high = INFINITY };
}

/* Counts a value in the window, edges included, and keeps it if need be. */
static void
keep(struct sieve *sieve, double value)
{
	if (value == sieve->low) {
		sieve->num_low++;
	} else if (value == sieve->high) {
		sieve->num_high++;
	} else {
		if (sieve->num_inside == sieve->room) {
			sieve->room = sieve->room ? sieve->room * 2 : 1024;
			sieve->inside = memory_resize(sieve->inside, sieve->room, sizeof *sieve->inside);
		}
		sieve->inside[sieve->num_inside++] = value;
	}
}

void
sieve_add(struct sieve *sieve, const double *values, size_t num)
{
	double low = sieve->low, high = sieve->high, in_window[AT_ONCE] = { 0 };

	for (size_t num_now; num > 0; num -= num_now, values += num_now) {
		size_t num_values = 0, num_below = 0, num_in_window = 0;

		num_now = num < AT_ONCE ? num : AT_ONCE;
		for (size_t i = 0; i < num_now; i++) { /* without a branch, which could not be foreseen */
			in_window[num_in_window] = values[i];
			num_in_window += (size_t)(values[i] >= low) & (size_t)(values[i] <= high);
			num_below += (size_t)(values[i] < low);
			num_values += (size_t)!isnan(values[i]);
		}
		for (size_t i = 0; i < num_in_window; i++)
			keep(sieve, in_window[i]);
		sieve->num += num_values;
		sieve->num_below += num_below;
	}
}

/* The value of rank K (from 0); EXTRA where there is none. False if it is not in the window. */
static bool
value_at(struct sieve *s, double rank, double extra, double *value)
{
	size_t inside = s->num_below + s->num_low, above = inside + s->num_inside, k;

	if (rank < 0 || rank >= (double)s->num) {
		*value = extra;
		return true;
	}
	k = (size_t)rank;
	if (k < s->num_below || k >= above + s->num_high)
		return false;
	*value = k < inside ? s->low : k < above ? quantile_select(s->inside, s->num_inside, k - inside) : s->high;
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

	value_at(sieve, floor(k - margin), -INFINITY, &low);
	value_at(sieve, floor(k + margin), INFINITY, &high);
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
