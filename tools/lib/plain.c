#include "plain.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

enum { FIRST_WANTED = 64, MOST_WANTED = 4096, ENDS_AT_ONCE = 8 };

/* PLAIN_STEP bytes, a bit for each, the lowest for the first. */
struct bits {
	uint64_t ends;   /* commas, and */
	uint64_t lines;  /* newlines */
	uint64_t others; /* quotes, and control characters but for newlines */
};

typedef void looker(const char *text, struct bits *bits);

/* What is to be inlined, so that it is compiled for the machines of its caller. */
#define INLINE inline __attribute__((always_inline))

static INLINE void
look_anywhere(const char *text, struct bits *bits)
{
	*bits = (struct bits){ 0 };
	for (int i = 0; i < PLAIN_STEP; i++) {
		unsigned char c = (unsigned char)text[i];

		bits->ends |= (uint64_t)(c == ',' || c == '\n') << i;
		bits->lines |= (uint64_t)(c == '\n') << i;
		bits->others |= (uint64_t)(c == '"' || (c < ' ' && c != '\n')) << i;
	}
}

/* The offsets of ends in the step; of the lowest bit the first. Returns how many, of which some more may have been written. */
static INLINE size_t
write_ends(uint64_t bits, size_t step, uint32_t *ends)
{
	size_t num = (size_t)__builtin_popcountll(bits);

	do {
#pragma GCC unroll 8
		for (int i = 0; i < ENDS_AT_ONCE; i++) {
			*ends++ = (uint32_t)step + (uint32_t)__builtin_ctzll(bits | UINT64_C(1) << (PLAIN_STEP - 1));
			bits &= bits - 1;
		}
	} while (bits != 0);
	return num;
}

/* The first of OTHERS in TEXT that is no CR before a newline; 0 if all are. */
static uint64_t
first_other(const char *text, uint64_t others)
{
	for (; others != 0; others &= others - 1) {
		const char *c = text + __builtin_ctzll(others);

		if (c[0] != '\r' || c[1] != '\n')
			return others & -others;
	}
	return 0;
}

/* Looks for ends, until there are those that are wanted. */
static INLINE void
find_ends(struct plain *plain, looker *look)
{
	size_t num_ends = plain->num_ends, num_lines = plain->num_lines, step = plain->step;
	struct bits bits;

	for (; num_ends < plain->num_wanted && !plain->is_over; step += PLAIN_STEP) {
		look(plain->text + step, &bits);
		if (bits.others != 0 && (bits.others = first_other(plain->text + step, bits.others)) != 0) {
			bits.ends &= bits.others - 1;
			bits.lines &= bits.others - 1;
			plain->is_over = true;
		}
		num_ends += write_ends(bits.ends, step, plain->ends + num_ends);
		num_lines += (size_t)__builtin_popcountll(bits.lines);
	}
	plain->num_ends = num_ends;
	plain->num_lines = num_lines;
	plain->step = step;
}

#ifdef __x86_64__
#define FAST __attribute__((target("avx2,bmi,popcnt")))

FAST static INLINE void
look_fast(const char *text, struct bits *bits)
{
	const __m256i comma = _mm256_set1_epi8(','), newline = _mm256_set1_epi8('\n'), quote = _mm256_set1_epi8('"');
	const __m256i control = _mm256_set1_epi8(' ' - 1);

	*bits = (struct bits){ 0 };
#pragma GCC unroll 2
	for (int i = 0; i < PLAIN_STEP; i += 32) {
		__m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(text + i)), is_line = _mm256_cmpeq_epi8(v, newline);
		__m256i is_other = _mm256_or_si256(_mm256_cmpeq_epi8(v, quote), _mm256_cmpeq_epi8(_mm256_min_epu8(v, control), v));
		__m256i is_end = _mm256_or_si256(_mm256_cmpeq_epi8(v, comma), is_line);

		bits->ends |= (uint64_t)(uint32_t)_mm256_movemask_epi8(is_end) << i;
		bits->lines |= (uint64_t)(uint32_t)_mm256_movemask_epi8(is_line) << i;
		bits->others |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_andnot_si256(is_line, is_other)) << i;
	}
}

FAST static void
find_ends_fast(struct plain *plain)
{
	find_ends(plain, look_fast);
}
#endif

static void
find_ends_anywhere(struct plain *plain)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt")) {
		find_ends_fast(plain);
		return;
	}
#endif
	find_ends(plain, look_anywhere);
}

static bool
is_line_end(const struct plain *plain, size_t end)
{
	return plain->text[plain->ends[end]] == '\n';
}

/* How many rows there are before one that has not as many cells as it should. */
static size_t
count_rows(struct plain *plain)
{
	size_t num_cells = plain->num_cells, num_rows = plain->num_ends / num_cells, num_lines = 0;

	for (size_t i = 0; i < num_rows; i++)
		num_lines += is_line_end(plain, (i + 1) * num_cells - 1);
	for (size_t i = num_rows * num_cells; i < plain->num_ends; i++)
		num_lines += is_line_end(plain, i);
	if (num_lines == plain->num_lines && num_lines == num_rows)
		return num_rows;
	for (size_t i = 0; i < num_rows * num_cells; i++)
		if (is_line_end(plain, i) != (i % num_cells == num_cells - 1))
			return i / num_cells;
	return num_rows;
}

void
plain_init(struct plain *plain, size_t num_cells)
{
	plain->num_cells = num_cells;
	plain->ends = memory_alloc(MOST_WANTED + num_cells + PLAIN_STEP + ENDS_AT_ONCE, sizeof *plain->ends);
}

void
plain_free(struct plain *plain)
{
	free(plain->ends);
	plain->ends = NULL;
}

void
plain_start(struct plain *plain, char *text)
{
	*plain = (struct plain){ .num_cells = plain->num_cells, .ends = plain->ends, .text = text,
		.num_wanted = plain->num_cells + FIRST_WANTED };
}

size_t
plain_next(struct plain *plain, const uint32_t **ends)
{
	size_t num_taken = plain->num_taken * plain->num_cells;

	plain->num_ends -= num_taken;
	plain->num_lines -= plain->num_taken;
	memmove(plain->ends, plain->ends + num_taken, plain->num_ends * sizeof *plain->ends);
	find_ends_anywhere(plain);
	plain->num_taken = count_rows(plain);
	if (plain->num_wanted < MOST_WANTED)
		plain->num_wanted = plain->num_wanted * 2 < MOST_WANTED ? plain->num_wanted * 2 : MOST_WANTED + plain->num_cells;
	*ends = plain->ends;
	return plain->num_taken;
}
