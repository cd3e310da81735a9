/*
 * The search for the highest passing rate, replayed from the verdicts at hand (section 4 of the
 * method: doubling, then bisection; or a list of rates in order).
 */
#ifndef SEARCH_H
#define SEARCH_H

#include <stddef.h>

#include "error.h"
#include "verdict.h"

#define SEARCH_MAX_ITERATIONS 20
#define SEARCH_GRANULARITY_PCT 2.5

struct json_object;

struct search {
	double start_qps;                  /* requests per second; 0: linear, over qps_list */
	double *qps_list;                  /* owned */
	size_t num_qps;
	long max_iterations;               /* trials in the trace */
	double min_search_granularity_pct; /* per cent of the larger end of the bracket */
	double max_qps_cap;                /* requests per second; RATE_MAX: none */
};

enum search_end {
	SEARCH_GOES_ON,       /* next_qps is to be tried */
	SEARCH_CONVERGED,     /* the bracket is narrower than the granularity */
	SEARCH_LIST_DONE,
	SEARCH_AT_CAP,        /* everything passed up to the cap */
	SEARCH_OUT_OF_TRIALS, /* max_iterations */
	SEARCH_TIMED_OUT,
	SEARCH_LIMITED,       /* the harness could not offer the last rate */
	SEARCH_ERRORED        /* the last trial failed and has no verdict */
};

struct search_trace {
	const struct verdict **entries; /* in the order of the search; they point into the given verdicts */
	size_t num;
	enum search_end end;
	double next_qps;                /* the rate to try next, 0 when the search is over */
	double best_qps;                /* highest passing rate, 0 where none passes */
	double lowest_failing_qps;      /* 0 where none fails */
};

/* The defaults, and neither a start nor a list. */
void search_init(struct search *s);
void search_free(struct search *s);

/* Reads the "search" member of job.json. EX_DATAERR with FILE. Returns 0 or -1. */
int search_from_json(struct json_object *object, const char *file, struct search *s, struct error *e);

/*
 * Replays S over the COUNT verdicts, given in any order. Of several at one rate the one with the
 * most requests counts, of equals the worst. search_trace_free() the trace.
 */
void search_replay(const struct search *s, const struct verdict *verdicts, size_t count, struct search_trace *trace);
void search_trace_free(struct search_trace *trace);

#endif
