/*
 * Random searches, one trial after the other and several at once.
 *
 *   speculation rounds N   prints, for N capacities log-uniform in 0.5 to 64 times the start, the mean number of rounds
 *   speculation same N     N searches with random settings and services: exits 1, with the case, if speculation changes
 *                          the trace of one or runs what it should not
 *
 * The seed is fixed. A test and a bench compile it with the library.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "random.h"
#include "rate.h"
#include "search.h"
#include "speculation.h"

enum { TRIALS_MAX = 1000 };

/* What a service does at each rate, always the same. */
struct service {
	double capacity, hangs_above, limited_above;
	double unreliable; /* likelihood that a trial crashes or has the wrong verdict */
	unsigned long seed;
};

static struct verdict
try(const struct service *service, double qps)
{
	struct verdict v = { .qps = qps, .passed = qps <= service->capacity ? VERDICT_PASSED : VERDICT_FAILED,
		.num_requests = 100 };
	struct random r;

	random_seed(&r, service->seed, (unsigned long)llround(qps * 1e4));
	if (random_uniform(&r) < service->unreliable)
		switch (random_below(&r, 4)) {
		case 0:
			v.errored = true;
			v.passed = VERDICT_NONE;
			return v;
		case 1:
			v.timed_out = true;
			break;
		default:
			v.passed = v.passed == VERDICT_PASSED ? VERDICT_FAILED : VERDICT_PASSED;
		}
	v.timed_out |= qps > service->hangs_above;
	v.limited = qps > service->limited_above;
	if (v.timed_out || v.limited)
		v.passed = VERDICT_FAILED;
	return v;
}

struct run {
	struct verdict verdicts[TRIALS_MAX];
	size_t num, rounds;
	struct search_trace trace;
};

static bool
is_known(const struct run *run, double qps)
{
	for (size_t i = 0; i < run->num; i++)
		if (run->verdicts[i].qps == qps)
			return true;
	return false;
}

/* The lowest rate that timed out, or that the harness could not offer, if none that high passed; else INFINITY. */
static double
lowest_stop(const struct run *run)
{
	double stop = INFINITY, passing = 0;

	for (size_t i = 0; i < run->num; i++) {
		const struct verdict *v = &run->verdicts[i];

		if (v->timed_out || v->limited)
			stop = fmin(stop, v->qps);
		else if (v->passed == VERDICT_PASSED)
			passing = fmax(passing, v->qps);
	}
	return stop > passing ? stop : INFINITY;
}

/* What is wrong with the NUM rates chosen in this state of the search; NULL: nothing. */
static const char *
fault_of(const struct search *s, const struct run *run, const double *rates, size_t num)
{
	if (num == 0 || rates[0] != run->trace.next_qps)
		return "the first rate is not the next one";
	for (size_t i = 0; i < num; i++) {
		if (is_known(run, rates[i]))
			return "a rate has a verdict";
		if (!rate_is_valid(rates[i]) || (!s->num_qps && rates[i] > s->max_qps_cap))
			return "a rate is above the cap";
		for (size_t j = 0; j < i; j++)
			if (rates[j] == rates[i])
				return "a rate is there twice";
		if (i > 0 && rates[i] >= lowest_stop(run))
			return "a rate is above one that timed out";
	}
	return NULL;
}

/* Searches SERVICE with AT_ONCE trials in each round; what is wrong, or NULL. */
static const char *
search_service(const struct search *s, const struct service *service, size_t at_once, struct run *run)
{
	double rates[SPECULATION_MAX];

	run->num = run->rounds = 0;
	for (;;) {
		size_t num = speculation_choose(s, run->verdicts, run->num, at_once, rates);
		const char *fault;

		search_replay(s, run->verdicts, run->num, &run->trace);
		if (run->trace.end != SEARCH_GOES_ON)
			return num == 0 ? NULL : "there are rates after the end";
		fault = num > at_once ? "too many rates" : fault_of(s, run, rates, num);
		if (fault)
			return fault;
		/* The last first: the order of verdicts does not matter. */
		for (size_t i = num; i-- > 0;)
			run->verdicts[run->num++] = try(service, rates[i]);
		run->rounds++;
		search_trace_free(&run->trace);
	}
}

static bool
is_same(const struct search_trace *a, const struct search_trace *b)
{
	if (a->end != b->end || a->num != b->num || a->best_qps != b->best_qps ||
	    a->lowest_failing_qps != b->lowest_failing_qps)
		return false;
	for (size_t i = 0; i < a->num; i++)
		if (a->entries[i]->qps != b->entries[i]->qps || a->entries[i]->passed != b->entries[i]->passed)
			return false;
	return true;
}

static double
log_uniform(struct random *r, double low, double high)
{
	return low * pow(high / low, random_uniform(r));
}

static void
random_case(struct random *r, struct search *s, struct service *service)
{
	double start = rate_round(log_uniform(r, 0.01, 100));

	search_init(s);
	if (random_below(r, 4) == 0) {
		s->num_qps = 1 + random_below(r, 12);
		s->qps_list = memory_alloc(s->num_qps, sizeof *s->qps_list);
		for (size_t i = 0; i < s->num_qps; i++)
			s->qps_list[i] = random_below(r, 5) == 0 && i > 0 ? s->qps_list[0]
			    : rate_round(log_uniform(r, start, 20 * start));
	} else {
		s->start_qps = start;
		s->max_iterations = 1 + (long)random_below(r, 25);
		s->min_search_granularity_pct = log_uniform(r, 0.1, 20);
		if (random_below(r, 3) == 0)
			s->max_qps_cap = rate_floor(log_uniform(r, start / 2, 100 * start));
	}
	service->capacity = log_uniform(r, start / 10, 200 * start);
	service->hangs_above = random_below(r, 2) ? service->capacity * log_uniform(r, 0.8, 8) : INFINITY;
	service->limited_above = random_below(r, 4) ? INFINITY : service->capacity * log_uniform(r, 0.8, 8);
	service->unreliable = random_below(r, 2) ? 0.15 : 0;
	service->seed = random_bits(r);
}

static int
compare(long count)
{
	static struct run one, several;
	struct random r;
	long extra = 0, saved = 0;

	random_seed(&r, 25, 0);
	for (long i = 0; i < count; i++) {
		size_t at_once = 1 + random_below(&r, 9);
		struct service service;
		struct search s;
		const char *fault;

		random_case(&r, &s, &service);
		fault = search_service(&s, &service, 1, &one);
		if (!fault && !(fault = search_service(&s, &service, at_once, &several)) &&
		    (!is_same(&one.trace, &several.trace) || several.rounds > one.rounds))
			fault = "another trace";
		if (fault) {
			printf("case %ld, %zu at once: %s\n", i, at_once, fault);
			return 1;
		}
		extra += (long)(several.num - one.num);
		saved += (long)(one.rounds - several.rounds);
		search_trace_free(&one.trace);
		search_trace_free(&several.trace);
		search_free(&s);
	}
	printf("%ld searches, %ld extra trials, %ld rounds fewer\n", count, extra, saved);
	return 0;
}

static int
print_rounds(long count)
{
	static struct run run;
	static const size_t at_once[] = { 1, 2, 3, 4, 6, 8, 16 };
	double sequential = 0;

	for (size_t k = 0; k < sizeof at_once / sizeof *at_once; k++) {
		double rounds = 0, trials = 0;
		struct random r;
		struct search s;

		random_seed(&r, 7, 0);
		search_init(&s);
		s.start_qps = 1;
		for (long i = 0; i < count; i++) {
			struct service service = { log_uniform(&r, 0.5, 64), INFINITY, INFINITY, 0, 0 };

			if (search_service(&s, &service, at_once[k], &run))
				return 1;
			rounds += (double)run.rounds;
			trials += (double)run.num;
			search_trace_free(&run.trace);
		}
		sequential = k == 0 ? rounds : sequential;
		printf("%2zu at once  %5.2f rounds  %4.2f times fewer  %5.2f trials\n", at_once[k], rounds / (double)count,
		    sequential / rounds, trials / (double)count);
	}
	return 0;
}

int
main(int argc, char **argv)
{
	long count = argc == 3 ? strtol(argv[2], NULL, 10) : 0;

	if (count > 0 && strcmp(argv[1], "rounds") == 0)
		return print_rounds(count);
	if (count > 0 && strcmp(argv[1], "same") == 0)
		return compare(count);
	fputs("usage: speculation rounds|same N\n", stderr);
	return 64;
}
