/*
 * The fast ways to read the files of a trial beside the plain ones.
 *
 *   fast numbers N         N texts: a number that decimal_parse() takes is the one that number_parse() gives
 *   fast files N FILE      N random files, written to FILE: plain rows read as such, and by the CSV parser, are the same
 *   fast quantiles N       N samples: what a sieve finds is what quantile_linear() gives
 *   fast timelines N FILE  N random timelines: the depths are those of the rows added up one by one
 *
 * Each exits 1 with the case after a difference, and 1 when too few cases came to the fast way. The seed is fixed.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "decimal.h"
#include "draw.h"
#include "memory.h"
#include "number.h"
#include "quantile.h"
#include "sieve.h"
#include "timeline.h"

enum { TEXT_MAX = 400 };

static bool
are_same(double a, double b)
{
	return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/* The middle of two neighbouring doubles around VALUE, as far as DIGITS digits go. */
static void
print_middle(char *text, double value, int digits)
{
	sprintf(text, "%.*Lg", digits, ((long double)value + nextafter(value, INFINITY)) / 2);
}

static void
random_number(char text[TEXT_MAX])
{
	double value = ldexp(random_uniform(&rng), (int)below(60) - 40) * (chance(0.2) ? -1 : 1);
	size_t n = (size_t)below(24);

	switch (below(10)) {
	case 0: sprintf(text, "%.17g", value); return;
	case 1: sprintf(text, "%.16g", value); return;
	case 2: sprintf(text, "%.*f", (int)below(22), value); return;
	case 3: sprintf(text, "%.*e", (int)below(18), value); return;
	case 4: print_middle(text, value, (int)below(8) + 14); return;
	case 5: sprintf(text, "%lu", (unsigned long)(random_bits(&rng) >> below(64))); return;
	case 6: sprintf(text, "%ld", below(100)); return;
	case 7: sprintf(text, "%.*g", (int)below(18) + 1, ldexp(value, (int)below(2100) - 1050)); return; /* subnormal, infinite */
	case 8: sprintf(text, "%s%lu", chance(0.5) ? "0.00" : "000", (unsigned long)(random_bits(&rng) >> below(64))); return;
	default:
		for (size_t i = 0; i < n; i++)
			text[i] = "01234567890099.-+eE x"[below(chance(0.2) ? 21 : 15)];
		text[n] = '\0';
	}
}

static int
try_numbers(long count)
{
	long num_fast = 0;

	for (long i = 0; i < count; i++) {
		char text[TEXT_MAX];
		double fast = -7, plain = -7;
		bool is_fast;

		random_number(text);
		is_fast = decimal_parse(text, text + strlen(text), &fast);
		number_parse(text, &plain);
		if (is_fast ? !are_same(fast, plain) : fast != -7) {
			printf("'%s': %.17g, not %.17g\n", text, fast, plain);
			return 1;
		}
		num_fast += is_fast;
	}
	return num_fast < count / 2;
}

static void
write_cell(FILE *f, bool is_odd)
{
	static const char *const odd[] = { "", "NA", "nan", "x", "\"1.5\"", "\"2\"\"\"", "\"3\n\"", " 4 ", "\t5", "inf", "-Infinity", "1e400",
		"1e-320", "a\"b", "0x10", "-0.0", "\"a,b\"", "\"c\"d", "6\r", "\x01", "1_000", "+7", "1.#IND", "\"", "\xc3\xa9" };
	char text[TEXT_MAX];

	random_number(text);
	if (is_odd)
		fputs(odd[below(sizeof odd / sizeof *odd)], f);
	else if (text[0] == '\0' || number_parse(text, &(double){ 0 }))
		fputs(text, f);
}

/* Most files are plain but for a few places: they begin fast, go through the parser, and go on fast. */
static void
write_file(const char *path)
{
	static const char *const names[] = { "a", "b", "c", "error", "worker" };
	FILE *f = fopen(path, "w");
	long num_cells = below(chance(0.1) ? 90 : 7) + 1, num_rows = below(chance(0.05) ? 9000 : 60);
	double odd = chance(0.3) ? 0 : random_power(10, (double)-below(4)) / 4, wrong = chance(0.8) ? 0 : 0.03;
	bool crlf = chance(0.3);

	if (!f)
		exit(1);
	if (chance(0.1))
		fputs("\xef\xbb\xbf", f);
	for (long n = 0; n < num_cells; n++)
		fprintf(f, "%s%s", n ? "," : "", n < 9 && chance(0.9) ? names[below(5)] : "other");
	for (long i = 0; i < num_rows; i++) {
		fputs(chance(0.02) ? "\r\n\n" : crlf ? "\r\n" : "\n", f);
		for (long n = 0; n < num_cells + (chance(wrong) ? below(3) - 1 : 0); n++) {
			fputs(n ? "," : "", f);
			if (n % 5 != 3 || chance(0.1))
				write_cell(f, chance(odd));
		}
		if (chance(wrong / 4))
			fputc('\0', f);
	}
	fputs(chance(0.5) ? "\n" : "", f);
	fclose(f);
}

static void
read_file(struct columns *c, const char *path, bool parse_all, struct error *e)
{
	*c = (struct columns){ .parse_all = parse_all };
	columns_want(c, "a", COLUMN_NUMBER, true);
	columns_want(c, "b", COLUMN_METRIC, false);
	columns_want(c, "c", COLUMN_STAMP, false);
	columns_want(c, "error", COLUMN_ERROR, false);
	columns_want(c, "worker", COLUMN_LABEL, false);
	columns_read(c, path, e);
}

static bool
have_same_columns(const struct columns *a, const struct columns *b)
{
	if (a->num_rows != b->num_rows || a->num_failed != b->num_failed || a->labels.count != b->labels.count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		if (a->list[i]->is_text != b->list[i]->is_text || a->list[i]->found != b->list[i]->found)
			return false;
		for (size_t n = 0; n < a->num_rows && a->list[i]->kind != COLUMN_ERROR; n++)
			if (!are_same(a->list[i]->values[n], b->list[i]->values[n]))
				return false;
	}
	return true;
}

static int
try_files(long count, const char *path)
{
	long num_good = 0;

	for (long i = 0; i < count; i++) {
		struct columns fast, plain;
		struct error e = ERROR_NONE, f = ERROR_NONE;
		bool same;

		write_file(path);
		read_file(&fast, path, false, &e);
		read_file(&plain, path, true, &f);
		same = e.status == f.status && strcmp(e.text ? e.text : "", f.text ? f.text : "") == 0 && have_same_columns(&fast, &plain);
		if (!same)
			printf("file %ld: %zu rows, %s; by the parser %zu, %s\n", i, fast.num_rows, e.text, plain.num_rows, f.text);
		num_good += !e.text && fast.num_rows > 0;
		columns_free(&fast);
		columns_free(&plain);
		error_clear(&e);
		error_clear(&f);
		if (!same)
			return 1;
	}
	return num_good < count / 9;
}

/* Fills SIEVE and VALUES with COUNT of them, some of which are equal or infinite, in one of several orders. */
static void
fill(struct sieve *sieve, double *values, long count, long kinds, double trend)
{
	double infinite = chance(0.9) ? 0.001 : 0.4;

	for (long i = 0; i < count; i++) {
		double value = kinds ? (double)below(kinds) : random_exponential(&rng);

		value = chance(infinite) ? INFINITY : chance(infinite) ? -INFINITY : value + trend * (double)i / (double)count;
		values[i] = value;
		sieve_add(sieve, &value, 1);
	}
}

static int
try_quantiles(long count)
{
	enum { VALUES_MAX = 20000, PLACES = 500 };
	double *values = memory_alloc(VALUES_MAX, sizeof *values);
	long num_found = 0;

	for (long i = 0; i < count; i++) {
		static const double quantiles[] = { 0, 0.5, 0.9, 0.99, 0.999, 1 };
		long kinds = chance(0.5) ? 0 : below(12) + 1, num = below(chance(0.5) ? 4 : VALUES_MAX);
		double quantile = chance(0.5) ? quantiles[below(6)] : random_uniform(&rng), trend = chance(0.5) ? 0 : 3;
		double num_extra = chance(0.7) ? 0 : (double)below(num / 9 + 3), extra = chance(0.5) ? INFINITY : -INFINITY;
		double found, expected;
		struct sieve sieve;

		sieve_start(&sieve);
		fill(&sieve, values, chance(0.8) ? PLACES : 0, kinds, trend);
		if (chance(0.9))
			sieve_narrow(&sieve, quantile, 0, extra, PLACES);
		else
			sieve.low = sieve.high = (double)below(3);
		sieve_free(&sieve);
		sieve = (struct sieve){ .low = sieve.low, .high = sieve.high };
		fill(&sieve, values, num, kinds, trend);
		if (sieve_quantile(&sieve, quantile, num_extra, extra, &found)) {
			num_found++;
			expected = quantile_linear(values, (size_t)num, quantile, num_extra, extra);
			if (!are_same(found, expected)) {
				printf("sample %ld: %.17g, not %.17g\n", i, found, expected);
				return 1;
			}
		}
		sieve_free(&sieve);
	}
	free(values);
	return num_found < count / 2;
}

struct state {
	long worker, depth, row;
	double duration;
};

static int
compare(const void *a, const void *b)
{
	const struct state *x = a, *y = b;

	return x->worker != y->worker ? (x->worker < y->worker ? -1 : 1) : x->depth != y->depth ? (x->depth < y->depth ? -1 : 1)
	    : x->row < y->row ? -1 : x->row > y->row;
}

/* The depth by the sums of the rows one by one. STATES are in order. */
static double
expected_depth(const struct state *states, long count, double quantile)
{
	double worst = -INFINITY;

	for (long i = 0, next; i < count; i = next) {
		double total = 0, sum = 0;
		long n = i;

		for (next = i; next < count && states[next].worker == states[i].worker; next++)
			total += states[next].duration;
		for (; n < next; n++)
			if ((sum += states[n].duration) >= quantile * total)
				break;
		worst = fmax(worst, (double)states[n].depth);
	}
	return worst;
}

static int
try_timelines(long count, const char *path)
{
	enum { STATES_MAX = 300 };
	struct state states[STATES_MAX];

	for (long i = 0; i < count; i++) {
		long num = below(STATES_MAX) + 1, workers = below(9) + 1, depths = below(40) + 1, kind = below(3);
		double quantile = chance(0.7) ? (double)below(11) / 10 : random_uniform(&rng), found, expected;
		double scale = chance(0.5) ? 1 : 25.5; /* depths that are large, or not whole */
		struct error e = ERROR_NONE;
		struct timeline *timeline;
		FILE *f = fopen(path, "w");

		if (!f)
			return 1;
		fputs("worker_id,duration_s,queue_depth_waiting\n", f);
		for (long n = 0; n < num; n++) {
			states[n] = (struct state){ below(workers), below(depths), n,
				kind == 0 ? 0.1 : kind == 1 ? (double)(below(20) + 1) / 10 : random_exponential(&rng) + 1e-9 };
			fprintf(f, "w%ld,%.17g,%.17g\n", states[n].worker, states[n].duration, (double)states[n].depth * scale);
		}
		fclose(f);
		qsort(states, (size_t)num, sizeof *states, compare);
		timeline = timeline_read(path, &e);
		found = timeline ? timeline_queue_depth(timeline, quantile) : NAN;
		timeline_free(timeline);
		expected = expected_depth(states, num, quantile) * scale;
		if (!are_same(found, expected)) {
			printf("timeline %ld: %g, not %g\n", i, found, expected);
			return 1;
		}
	}
	return 0;
}

int
main(int argc, char **argv)
{
	long count = argc > 2 ? atol(argv[2]) : 0;

	random_seed(&rng, 35, 0);
	if (argc == 3 && strcmp(argv[1], "numbers") == 0)
		return try_numbers(count);
	if (argc == 4 && strcmp(argv[1], "files") == 0)
		return try_files(count, argv[3]);
	if (argc == 3 && strcmp(argv[1], "quantiles") == 0)
		return try_quantiles(count);
	if (argc == 4 && strcmp(argv[1], "timelines") == 0)
		return try_timelines(count, argv[3]);
	return 64;
}
