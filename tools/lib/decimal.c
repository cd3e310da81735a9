#include "decimal.h"

#include <endian.h>
#include <stdint.h>
#include <string.h>

__extension__ typedef unsigned __int128 product;

enum { DIGITS_MAX = 19, SHIFT_MAX = 27 };

/* 1 / 5^n, times a power of two, rounded down to 64 bits of which the first is set. */
static const uint64_t inverses[SHIFT_MAX + 1] = {
	0x8000000000000000, 0xcccccccccccccccc, 0xa3d70a3d70a3d70a, 0x83126e978d4fdf3b,
	0xd1b71758e219652b, 0xa7c5ac471b478423, 0x8637bd05af6c69b5, 0xd6bf94d5e57a42bc,
	0xabcc77118461cefc, 0x89705f4136b4a597, 0xdbe6fecebdedd5be, 0xafebff0bcb24aafe,
	0x8cbccc096f5088cb, 0xe12e13424bb40e13, 0xb424dc35095cd80f, 0x901d7cf73ab0acd9,
	0xe69594bec44de15b, 0xb877aa3236a4b449, 0x9392ee8e921d5d07, 0xec1e4a7db69561a5,
	0xbce5086492111aea, 0x971da05074da7bee, 0xf1c90080baf72cb1, 0xc16d9a0095928a27,
	0x9abe14cd44753b52, 0xf79687aed3eec551, 0xc612062576589dda, 0x9e74d1b791e07e48,
};

static const uint64_t powers[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000 }; /* of 10 */

/* The digits that these 8 bytes are, as numbers; *ARE_DIGITS tells whether they are. */
static inline uint64_t
digits_of(uint64_t bytes, bool *are_digits)
{
	uint64_t digits = bytes - 0x3030303030303030; /* sets the first bit of the first byte below '0', and of those above 0xaf; */
	uint64_t above = bytes + 0x4646464646464646;  /* this one of those above '9', up to 0xb9 */

	*are_digits = ((digits | above) & 0x8080808080808080) == 0;
	return digits;
}

/* The number of 8 digits, the first in the lowest byte. Each step joins neighbours: 8 x 1 digit, 4 x 2, 2 x 4. */
static inline uint64_t
value_of_digits(uint64_t digits)
{
	digits = (digits * 10 + (digits >> 8)) & 0x00ff00ff00ff00ff;
	digits = (digits * 100 + (digits >> 16)) & 0x0000ffff0000ffff;
	return (digits * 10000 + (digits >> 32)) & 0xffffffff;
}

static inline uint64_t
eight_bytes(const char *p)
{
	uint64_t bytes;

	memcpy(&bytes, p, sizeof bytes);
	return le64toh(bytes);
}

/*
 * The digits from P on, appended to *DIGITS. Returns what is behind them. The last ones, where END is behind them, are taken
 * together too: of the 8 bytes before END those that were taken become leading zeros. TEXT is where the text begins.
 */
static inline const char *
take_digits(const char *p, const char *end, const char *text, uint64_t *digits)
{
	uint64_t n = *digits, eight;
	bool are_digits = true;

	for (; end - p >= 8; p += 8) {
		eight = digits_of(eight_bytes(p), &are_digits);
		if (!are_digits)
			break;
		n = n * 100000000 + value_of_digits(eight);
	}
	if (are_digits && end - text >= 8) {
		int half = 4 * (int)(end - p); /* of the bits that are left */
		uint64_t taken = ~UINT64_C(0) >> half >> half;

		eight = digits_of((eight_bytes(end - 8) & ~taken) | (0x3030303030303030 & taken), &are_digits);
		if (are_digits) {
			*digits = n * powers[end - p] + value_of_digits(eight);
			return end;
		}
	}
	for (; p < end && (unsigned char)(*p - '0') < 10; p++)
		n = n * 10 + (uint64_t)(*p - '0');
	*digits = n;
	return p;
}

/* The digits behind an e, which are to be up to END. -1 if they are not, or too many. */
static int
parse_exponent(const char *p, const char *end)
{
	uint64_t digits = 0;
	bool is_negative = p < end && *p == '-';

	p += p < end && (*p == '-' || *p == '+');
	if (p == end || end - p > 2)
		return -1;
	if (take_digits(p, end, p, &digits) < end || (digits > 0 && !is_negative))
		return -1;
	return (int)digits;
}

/*
 * DIGITS / 10^SHIFT, above 0. The upper half of the product of DIGITS and the inverse is short of the quotient by
 * less than two of its last unit. A double takes 53 of its bits: the others tell how to round, unless these two units
 * reach the middle.
 */
static bool
divide(uint64_t digits, int shift, double *value)
{
	int zeros = __builtin_clzll(digits);
	uint64_t quotient = (uint64_t)((product)(digits << zeros) * inverses[shift] >> 64);
	int rest_bits = quotient >> 63 ? 11 : 10;
	uint64_t rest = quotient & ((UINT64_C(1) << rest_bits) - 1), half = UINT64_C(1) << (rest_bits - 1);
	int exponent = rest_bits + 1 - zeros - (shift * 3322 + 999) / 1000; /* log2(10), rounded up: exact for these shifts */
	uint64_t scale_bits = (uint64_t)(1023 + exponent) << 52;
	double scale;

	if (rest == half || rest == half - 1)
		return false;
	memcpy(&scale, &scale_bits, sizeof scale); /* 2^exponent */
	*value = (double)((quotient >> rest_bits) + (rest > half)) * scale;
	return true;
}

static inline const char *
skip_zeros(const char *p, const char *end)
{
	while (p < end && *p == '0')
		p++;
	return p;
}

bool
decimal_parse(const char *text, const char *end, double *value)
{
	const char *first = text + (text < end && (*text == '-' || *text == '+'));
	bool is_long = end - first > DIGITS_MAX + 1, has_point = false; /* leading zeros must not be counted, then */
	const char *p = is_long ? skip_zeros(first, end) : first, *significant = p;
	uint64_t digits = 0;
	int shift = 0, exponent;
	double magnitude = 0;

	p = take_digits(p, end, text, &digits);
	if (p < end && *p == '.') {
		const char *fraction = p + 1;

		has_point = true;
		significant = is_long && p == significant ? skip_zeros(fraction, end) : significant + 1;
		p = take_digits(digits > 0 || !is_long ? fraction : significant, end, text, &digits);
		shift = (int)(p - fraction);
	}
	if (p - first == has_point || p - significant > DIGITS_MAX)
		return false;
	if (p < end) {
		exponent = *p == 'e' || *p == 'E' ? parse_exponent(p + 1, end) : -1;
		if (exponent < 0)
			return false;
		shift += exponent;
	}
	if (digits > 0 && (shift > SHIFT_MAX || !divide(digits, shift, &magnitude)))
		return false;
	*value = *text == '-' ? -magnitude : magnitude;
	return true;
}
