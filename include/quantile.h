/* Quantiles of plain samples. */
#ifndef QUANTILE_H
#define QUANTILE_H

#include <stddef.h>

/*
 * The QUANTILE (0 to 1) of COUNT values, none of them NaN, together with NUM_EXTRA more (a whole
 * number) that are all EXTRA, INFINITY or -INFINITY: the failed requests. Linear interpolation (Hyndman and Fan
 * 1996, type 7; numpy's default): position q (n - 1), counted from the nearer of the two neighbours, so
 * that the last bit is numpy's. Equal neighbours give that value, infinite ones too; between a
 * finite and an infinite one lies the infinite one, between both infinities NaN. NaN for no values at all.
 * VALUES is reordered. O(n), by selection.
 */
double quantile_linear(double *values, size_t count, double quantile, double num_extra, double extra);

/* The value of rank K, from 0 to COUNT - 1, of VALUES, none of them NaN. They are reordered: smaller ones before it. O(n). */
double quantile_select(double *values, size_t count, size_t k);

/* What quantile_linear() gives for a position T, 0 to 1, between the neighbours A and B. */
double quantile_between(double a, double b, double t);

#endif
