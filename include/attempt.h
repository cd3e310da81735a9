/* The trials of a job's trace, as a report shows them. */
#ifndef ATTEMPT_H
#define ATTEMPT_H

#include <stddef.h>

#include "summary.h"

struct json_object;

enum attempt_outcome { ATTEMPT_PASSED, ATTEMPT_FAILED, ATTEMPT_TIMED_OUT, ATTEMPT_LIMITED, ATTEMPT_UNJUDGED };

struct attempt {
	double qps;                 /* requests per second */
	enum attempt_outcome outcome;
	struct json_object *values; /* metric_values, or NULL */
	const char *run_dir;        /* relative to the output directory */
	double num_requests, num_failed; /* NAN: not known */
};

struct attempts {
	struct attempt *list;       /* in the order of the search */
	size_t num;
	double best_qps;            /* the highest that passed; 0: none */
	double failing_qps;         /* the lowest above it that failed its SLA; 0: none */
	struct json_object *trace;  /* what the list points into */
};

void attempts_read(const struct summary *summary, struct attempts *attempts);
void attempts_free(struct attempts *attempts);

/* The value of a rule's KEY; NAN: none, or not finite. */
double attempt_value(const struct attempt *attempt, const char *key);

/* The outcome in a word or two. */
const char *attempt_outcome_text(enum attempt_outcome outcome);

/*
 * Picks up to MAX attempts, of different rates, whose requests are worth a look; their places in the list go to PICKED. Around an
 * answer: it, the lowest failing rate, the passing one below, the failing one above. Without an answer: the lowest failing ones; without an
 * SLA, rates from the lowest to the highest. Returns how many.
 */
size_t attempts_pick(const struct attempts *attempts, size_t max, size_t picked[]);

#endif
