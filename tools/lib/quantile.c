#include "quantile.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
swap(double *a, double *b)
{
	double t = *a;

	*a = *b;
	*b = t;
}

/* The middle one of the first, middle and last of V[LOW..HIGH]. */
static double
pivot(const double *v, size_t low, size_t high)
{
	double a = v[low], b = v[low + (high - low) / 2], c = v[high];

	return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/*
 * Puts the value of rank K (from 0) to v[K], smaller ones before it and larger ones behind it: Hoare's
 * selection. Where the pivots are bad, sorting ends it, so that no order of the values is slow.
 */
double
quantile_select(double *v, size_t count, size_t k)
{
	size_t low = 0, high = count - 1;

	for (int tries = 0; low < high; tries++) {
		double p = pivot(v, low, high);
		size_t i = low, j = high;

		if (tries == 100) {
			qsort(v + low, high - low + 1, sizeof *v, compare);
			break;
		}
		for (;; i++, j--) {
			while (v[i] < p)
				i++;
			while (v[j] > p)
				j--;
			if (i >= j)
				break;
			swap(&v[i], &v[j]);
		}
		/* low..i-1 are at most p, j+1..high at least p; v[j] is p where i == j */
		if (k < i)
			high = i - 1;
		else if (k > j)
			low = j + 1;
		else
			break;
	}
	return v[k];
}

/* The value of rank K among VALUES and the extra ones, which are all below or all above them. */
static double
value_at(double *values, size_t count, double k, double num_extra, double extra)
{
	if (extra < 0 && k < num_extra)
		return extra;
	if (extra < 0)
		k -= num_extra;
	if (k >= (double)count)
		return extra;
	return quantile_select(values, count, (size_t)k);
}

double
quantile_between(double a, double b, double t)
{
	if (t == 0)
		return a;
	if (isinf(a) || isinf(b))
		return a + b; /* the infinite one; NaN between both infinities */
	return t < 0.5 ? a + (b - a) * t : b - (b - a) * (1 - t);
}

double
quantile_linear(double *values, size_t count, double quantile, double num_extra, double extra)
{
	double n = (double)count + num_extra, position, rank, a, b;

	if (n == 0)
		return NAN;
	position = quantile * (n - 1);
	rank = floor(position);
	a = value_at(values, count, rank, num_extra, extra);
	b = rank < position ? value_at(values, count, rank + 1, num_extra, extra) : a;
	return quantile_between(a, b, position - rank);
}
