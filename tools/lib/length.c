#include "length.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "settings.h"

enum { STREAM = 2, SHUFFLE_STREAM = 3 };

static double
at_least(double value, double low)
{
	return value < low ? low : value;
}

/* Fisher and Yates: rows of WIDTH values in random order. */
static void
shuffle(double *values, size_t count, size_t width, struct random *random)
{
	for (size_t i = count; i > 1; i--) {
		size_t other = random_below(random, i);

		for (size_t k = 0; k < width; k++) {
			double kept = values[(i - 1) * width + k];

			values[(i - 1) * width + k] = values[other * width + k];
			values[other * width + k] = kept;
		}
	}
}

/*
 * Scales the rows and cuts them to MAX_TOKENS together (INFINITY: not): what is too much comes off both
 * kinds in proportion, or off the prefill tokens alone.
 */
static void
scale_trace(struct trace *trace, double prefill_scale, double decode_scale, double max_tokens, bool in_proportion)
{
	for (size_t i = 0; i < trace->num_rows; i++) {
		double *prefill = &trace->values[2 * i], *decode = prefill + 1, excess, share;

		*prefill = at_least(floor(*prefill * prefill_scale), 1);
		*decode = at_least(floor(*decode * decode_scale), 1);
		excess = at_least(*prefill + *decode - max_tokens, 0);
		share = in_proportion ? *prefill / (*prefill + *decode) : 1;
		*prefill = at_least(*prefill - ceil(excess * share), 1);
		*decode = at_least(*decode - ceil(excess * (1 - share)), 1);
		*prefill = fmin(*prefill, LENGTH_TOKENS_MAX);
		*decode = fmin(*decode, LENGTH_TOKENS_MAX);
	}
}

static void
init_length_trace(struct length *l, struct settings *settings, struct error *e)
{
	const char *path = settings_is_null(settings, "length_trace_file") ? "" : settings_text(settings, "length_trace_file");
	double prefill_scale = settings_number(settings, "length_trace_prefill_scale_factor", 0, 1e6);
	double decode_scale = settings_number(settings, "length_trace_decode_scale_factor", 0, 1e6);
	double max = settings_is_null(settings, "length_trace_max_tokens") ? INFINITY
	    : (double)settings_integer(settings, "length_trace_max_tokens", 2, LENGTH_TOKENS_MAX);
	bool is_shuffled = settings_bool(settings, "length_trace_shuffle", true);

	l->kind = LENGTH_TRACE;
	if (!*path) {
		settings_fault(settings, "length_type", "\"trace\" needs length_trace_file");
		return;
	}
	if (trace_read(path, trace_request_columns + 1, 2, NULL, &l->trace, e) < 0)
		return;
	scale_trace(&l->trace, prefill_scale, decode_scale, max, true);
	if (is_shuffled)
		shuffle(l->trace.values, l->trace.num_rows, 2, &l->random);
}

static void
init_range(struct length *l, struct settings *settings)
{
	l->min_tokens = settings_integer(settings, "min_tokens", 1, LENGTH_TOKENS_MAX);
	l->max_tokens = settings_integer(settings, "max_tokens", 1, LENGTH_TOKENS_MAX);
	l->prefill_to_decode_ratio = settings_number(settings, "prefill_to_decode_ratio", 0, 1e6);
	if (l->max_tokens < l->min_tokens) {
		settings_fault(settings, "max_tokens", "%ld; expected no less than min_tokens, %ld", l->max_tokens, l->min_tokens);
		l->max_tokens = l->min_tokens;
	}
}

/* The n-th shortest length, or the n-th of a random order of them, has the weight n^-theta. */
static void
init_zipf(struct length *l, struct settings *settings)
{
	double theta = settings_number(settings, "zipf_theta", 0, 20), sum = 0;
	size_t count;

	init_range(l, settings);
	count = (size_t)(l->max_tokens - l->min_tokens + 1);
	l->cumulated = memory_alloc(count, sizeof *l->cumulated);
	for (size_t i = 0; i < count; i++)
		l->cumulated[i] = sum += random_power((double)(i + 1), -theta);
	if (!settings_bool(settings, "zipf_scramble", false))
		return;
	l->permuted = memory_alloc(count, sizeof *l->permuted);
	for (size_t i = 0; i < count; i++) {
		size_t other = random_below(&l->random, i + 1);

		l->permuted[i] = l->permuted[other];
		l->permuted[other] = (long)i;
	}
}

static void
read_gen_length(struct length *l, struct settings *settings)
{
	if (!settings_is_null(settings, "gen_length"))
		l->gen_length = settings_integer(settings, "gen_length", 1, LENGTH_TOKENS_MAX);
}

void
length_init(struct length *l, struct settings *settings, struct error *e)
{
	static const char *const kinds[] = { "fixed", "uniform", "zipf", "trace", NULL };
	uint64_t seed = (uint64_t)settings_integer(settings, "seed", 0, INT64_MAX);

	memset(l, 0, sizeof *l);
	l->kind = (enum length_kind)settings_choice(settings, "length_type", kinds);
	random_seed(&l->random, seed, SHUFFLE_STREAM);
	if (l->kind == LENGTH_TRACE)
		init_length_trace(l, settings, e);
	else if (l->kind == LENGTH_ZIPF)
		init_zipf(l, settings);
	else if (l->kind == LENGTH_UNIFORM)
		init_range(l, settings);
	else
		l->fixed = (struct length_tokens){ settings_integer(settings, "prefill_tokens", 1, LENGTH_TOKENS_MAX),
			settings_integer(settings, "decode_tokens", 1, LENGTH_TOKENS_MAX) };
	read_gen_length(l, settings);
	random_seed(&l->random, seed, STREAM);
}

void
length_init_replay(struct length *l, struct settings *settings, const struct trace *requests)
{
	double prefill_scale = settings_number(settings, "prefill_scale_factor", 0, 1e6);
	double decode_scale = settings_number(settings, "decode_scale_factor", 0, 1e6);
	double max = (double)settings_integer(settings, "max_tokens", 2, LENGTH_TOKENS_MAX);

	memset(l, 0, sizeof *l);
	l->kind = LENGTH_TRACE;
	l->trace = trace_part(requests, 1, 2);
	scale_trace(&l->trace, prefill_scale, decode_scale, max, false);
	read_gen_length(l, settings);
}

static long
zipf(struct length *l)
{
	size_t low = 0, high = (size_t)(l->max_tokens - l->min_tokens);
	double at = random_uniform(&l->random) * l->cumulated[high];

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (l->cumulated[middle] > at)
			high = middle;
		else
			low = middle + 1;
	}
	return l->min_tokens + (l->permuted ? l->permuted[low] : (long)low);
}

/* TOTAL tokens in the given ratio, the decode tokens rounded up. */
static struct length_tokens
divide(const struct length *l, long total)
{
	long decode = (long)ceil((double)total / (1 + l->prefill_to_decode_ratio));
	struct length_tokens tokens = { total - decode < 1 ? 1 : total - decode, decode };

	return tokens;
}

struct length_tokens
length_next(struct length *l)
{
	struct length_tokens tokens = l->fixed;

	if (l->kind == LENGTH_UNIFORM)
		tokens = divide(l, l->min_tokens +
		    (long)random_below(&l->random, (uint64_t)(l->max_tokens - l->min_tokens + 1)));
	else if (l->kind == LENGTH_ZIPF)
		tokens = divide(l, zipf(l));
	else if (l->kind == LENGTH_TRACE) {
		const double *row = &l->trace.values[2 * l->next];

		tokens = (struct length_tokens){ (long)row[0], (long)row[1] };
		l->next = (l->next + 1) % l->trace.num_rows;
	}
	if (l->gen_length)
		tokens.decode = l->gen_length;
	return tokens;
}

void
length_free(struct length *l)
{
	trace_free(&l->trace);
	free(l->cumulated);
	free(l->permuted);
}
