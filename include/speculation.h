/*
 * Speculation: the rates worth trying at the same time as the one that a search needs next.
 *
 * What the search would need later is a tree: each rate leads to one of two, as it passes or fails. A rate is as likely
 * to be needed as the verdicts that lead to it, and the likeliest are chosen: no other choice of as many rates lets the
 * search go on by more trials on average. Verdicts that are known say what to expect of others: a rate below one that
 * passed passes, one above one that failed fails. Between two such rates the capacity is taken to be anywhere on a
 * logarithmic scale, and while everything passes, each doubling passes with SPECULATION_DOUBLES.
 */
#ifndef SPECULATION_H
#define SPECULATION_H

#include <stddef.h>

#include "search.h"
#include "verdict.h"

enum { SPECULATION_MAX = 1000 }; /* rates at once */

#define SPECULATION_DOUBLES 0.8 /* the likelihood of passing at twice a rate that passed, with nothing else known */
#define SPECULATION_STARTS 0.8  /* of passing at the first rate */

/*
 * Puts up to MAX rates (requests per second, at most SPECULATION_MAX) into RATES: first the one that S needs next after
 * the COUNT verdicts, then the others, the likeliest first. None has a verdict, none is there twice. Returns their
 * number; 0: the search is over.
 */
size_t speculation_choose(const struct search *s, const struct verdict *verdicts, size_t count, size_t max,
    double *rates);

#endif
