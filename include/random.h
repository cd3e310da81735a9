/*
 * Random numbers that are the same on every machine: the generator is xoshiro256** (Blackman and Vigna), and the
 * variates use no library function whose last bit may differ.
 */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

struct random {
	uint64_t state[4];
};

/* Independent numbers for each pair of SEED and STREAM (a small number of the caller's). */
void random_seed(struct random *r, uint64_t seed, uint64_t stream);

/* 64 random bits; a number in [0, 1); a whole number from 0 to LIMIT - 1. */
uint64_t random_bits(struct random *r);
double random_uniform(struct random *r);
uint64_t random_below(struct random *r, uint64_t limit);

/* Exponential with mean 1. */
double random_exponential(struct random *r);

/* Gamma with mean 1 and coefficient of variation CV (0 and up): 0 constant, 1 exponential (Marsaglia and Tsang, 2000). */
double random_gamma(struct random *r, double cv);

/* BASE to the power of EXPONENT, BASE > 0, from exact operations only. */
double random_power(double base, double exponent);

#endif
