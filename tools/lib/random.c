#include "random.h"

#include <math.h>

static uint64_t
splitmix(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

void
random_seed(struct random *r, uint64_t seed, uint64_t stream)
{
	uint64_t state = seed;

	state = splitmix(&state) + stream;
	for (int i = 0; i < 4; i++)
		r->state[i] = splitmix(&state);
}

static uint64_t
rotate(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

uint64_t
random_bits(struct random *r)
{
	uint64_t *s = r->state, bits = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return bits;
}

double
random_uniform(struct random *r)
{
	return (double)(random_bits(r) >> 11) * 0x1p-53;
}

uint64_t
random_below(struct random *r, uint64_t limit)
{
	uint64_t bits, rest = -limit % limit; /* 2^64 mod limit: as many values are drawn again, so that none is likelier */

	do
		bits = random_bits(r);
	while (bits < rest);
	return bits % limit;
}

#define LN2_HIGH 0x1.62e42fefa0000p-1 /* ln 2 in two parts: the first has zeros enough that k * LN2_HIGH is exact */
#define LN2_LOW 0x1.cf79abc9e3b3ap-40

/* The natural logarithm of X > 0: x = m 2^e, ln m = 2 artanh((m - 1) / (m + 1)) by its series. */
static double
logarithm(double x)
{
	int e;
	double m = frexp(x, &e), s, square, sum = 0;

	if (m < 0x1.6a09e667f3bcdp-1) { /* the root of 1/2 */
		m *= 2;
		e--;
	}
	s = (m - 1) / (m + 1);
	square = s * s;
	for (int k = 23; k >= 1; k -= 2)
		sum = sum * square + 1.0 / k;
	return e * LN2_HIGH + (2 * s * sum + e * LN2_LOW);
}

/* e to the power of X: x = k ln 2 + r, e^r by its series. */
static double
exponential(double x)
{
	double k, r, sum = 1;

	if (x < -746)
		return 0;
	if (x > 710)
		return INFINITY;
	k = floor(x / (LN2_HIGH + LN2_LOW) + 0.5);
	r = x - k * LN2_HIGH - k * LN2_LOW;
	for (int n = 18; n >= 1; n--)
		sum = 1 + sum * r / n;
	return ldexp(sum, (int)k);
}

double
random_power(double base, double exponent)
{
	return exponential(exponent * logarithm(base));
}

double
random_exponential(struct random *r)
{
	return -logarithm(1 - random_uniform(r));
}

/* Standard normal, by Marsaglia's polar method. */
static double
normal(struct random *r)
{
	double u, v, s;

	do {
		u = 2 * random_uniform(r) - 1;
		v = 2 * random_uniform(r) - 1;
		s = u * u + v * v;
	} while (s >= 1 || s == 0);
	return u * sqrt(-2 * logarithm(s) / s);
}

/* Gamma of SHAPE >= 1, scale 1. */
static double
gamma_of_shape(struct random *r, double shape)
{
	double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d), x, v, u;

	for (;;) {
		x = normal(r);
		v = 1 + c * x;
		if (v <= 0)
			continue;
		v = v * v * v;
		u = 1 - random_uniform(r);
		if (logarithm(u) < x * x / 2 + d - d * v + d * logarithm(v))
			return d * v;
	}
}

double
random_gamma(struct random *r, double cv)
{
	double shape;

	if (cv == 0)
		return 1;
	if (cv == 1)
		return random_exponential(r);
	shape = 1 / (cv * cv);
	if (shape >= 1)
		return gamma_of_shape(r, shape) / shape;
	return gamma_of_shape(r, shape + 1) * random_power(1 - random_uniform(r), 1 / shape) / shape;
}
