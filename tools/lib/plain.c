#include "plain.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Looks at PLAIN_STEP bytes from TEXT on. */
static inline void
take_step(struct plain *plain, char *text)
{
	uint64_t commas = 0, others = 0;
#ifdef __SSE2__
	const __m128i comma = _mm_set1_epi8(','), quote = _mm_set1_epi8('"'), control = _mm_set1_epi8(' ' - 1);

#pragma GCC unroll 4
	for (int i = 0; i < PLAIN_STEP; i += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)(text + i));
		__m128i other = _mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(_mm_min_epu8(v, control), v));

		commas |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, comma)) << i;
		others |= (uint64_t)_mm_movemask_epi8(other) << i;
	}
#else
	for (int i = 0; i < PLAIN_STEP; i++) {
		unsigned char c = (unsigned char)text[i];

		commas |= (uint64_t)(c == ',') << i;
		others |= (uint64_t)(c == '"' || c < ' ') << i;
	}
#endif
	plain->step = text;
	plain->commas = commas;
	plain->others = others;
}

void
plain_start(struct plain *plain, char *text, size_t num_cells, const size_t *wanted, size_t num_wanted)
{
	plain->num_cells = num_cells;
	plain->wanted = wanted;
	plain->num_wanted = num_wanted;
	take_step(plain, text);
}

/* Where bit N (from 0) of the NUM that are set is. */
static inline int
bit_at(uint64_t bits, size_t num, size_t n)
{
	if (n == num - 1)
		return 63 - __builtin_clzll(bits);
	for (; n > 0; n--)
		bits &= bits - 1;
	return __builtin_ctzll(bits);
}

/* How many bits are set: neighbours are added up, then their neighbours. A call of the library without a machine's own. */
static inline size_t
count_bits(uint64_t bits)
{
	bits -= bits >> 1 & 0x5555555555555555;
	bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
	bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return bits * 0x0101010101010101 >> 56;
}

/* Takes what ends the row: LF, or CR and LF. Returns what follows, or NULL. */
static inline char *
take_end(struct plain *plain)
{
	char *end = plain->step + __builtin_ctzll(plain->others);

	plain->others &= plain->others - 1;
	if (*end == '\r' && end[1] == '\n') {
		if (plain->others == 0)
			take_step(plain, plain->step + PLAIN_STEP);
		plain->others &= plain->others - 1;
		end++;
	}
	return *end == '\n' ? end + 1 : NULL;
}

char *
plain_next(struct plain *plain, char **ends)
{
	struct plain at = *plain;
	const size_t *wanted = at.wanted, *end = wanted + at.num_wanted;
	size_t num_commas = 0; /* of the row, so far */
	char *next;

	for (;; take_step(&at, at.step + PLAIN_STEP)) {
		uint64_t before = at.others ? (at.others & -at.others) - 1 : ~UINT64_C(0); /* the row's end */
		uint64_t commas = at.commas & before;
		size_t num = count_bits(commas);

		for (; wanted < end && *wanted < num_commas + num; wanted++)
			ends[*wanted] = at.step + bit_at(commas, num, *wanted - num_commas);
		num_commas += num;
		at.commas &= ~before;
		if (at.others)
			break;
	}
	if (num_commas != at.num_cells - 1)
		return NULL;
	ends[num_commas] = at.step + __builtin_ctzll(at.others);
	next = take_end(&at);
	*plain = at;
	return next;
}
