/* Draws for the tests' programs, from one stream of random numbers with a fixed seed: random_seed(&rng, ...). */
#ifndef DRAW_H
#define DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "random.h"

static struct random rng;

static long
below(long limit)
{
	return (long)random_below(&rng, (uint64_t)limit);
}

static bool
chance(double likelihood)
{
	return random_uniform(&rng) < likelihood;
}

#endif
