#include "attempt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "memory.h"

static enum attempt_outcome
outcome_of(struct json_object *entry)
{
	if (json_get_bool(entry, "timed_out", false))
		return ATTEMPT_TIMED_OUT;
	if (json_get_text(entry, "limited_by", NULL))
		return ATTEMPT_LIMITED;
	if (!json_object_object_get(entry, "passed"))
		return ATTEMPT_UNJUDGED;
	return json_get_bool(entry, "passed", false) ? ATTEMPT_PASSED : ATTEMPT_FAILED;
}

void
attempts_read(const struct summary *summary, struct attempts *a)
{
	size_t num;

	memset(a, 0, sizeof *a);
	a->trace = summary_trace(summary);
	num = json_object_array_length(a->trace);
	a->list = memory_alloc(num, sizeof *a->list);
	for (size_t i = 0; i < num; i++) {
		struct json_object *entry = json_object_array_get_idx(a->trace, i);
		struct attempt *one = &a->list[a->num];

		if (!json_object_is_type(entry, json_type_object))
			continue;
		one->qps = json_get_number(entry, "qps", 0);
		one->outcome = outcome_of(entry);
		one->values = json_object_object_get(entry, "metric_values");
		one->run_dir = json_get_text(entry, "run_dir", "");
		one->num_requests = json_get_number(entry, "num_requests", NAN);
		one->num_failed = json_get_number(entry, "num_failed", NAN);
		if (one->outcome == ATTEMPT_PASSED && one->qps > a->best_qps)
			a->best_qps = one->qps;
		a->num++;
	}
	for (size_t i = 0; i < a->num; i++)
		if (a->list[i].outcome == ATTEMPT_FAILED && a->list[i].qps > a->best_qps &&
		    (a->failing_qps == 0 || a->list[i].qps < a->failing_qps))
			a->failing_qps = a->list[i].qps;
}

void
attempts_free(struct attempts *a)
{
	free(a->list);
	json_object_put(a->trace);
	memset(a, 0, sizeof *a);
}

double
attempt_value(const struct attempt *attempt, const char *key)
{
	return json_object_is_type(attempt->values, json_type_object) ? json_get_number(attempt->values, key, NAN) : NAN;
}

const char *
attempt_outcome_text(enum attempt_outcome outcome)
{
	static const char *const texts[] = { [ATTEMPT_PASSED] = "passed", [ATTEMPT_FAILED] = "failed",
		[ATTEMPT_TIMED_OUT] = "timed out", [ATTEMPT_LIMITED] = "rate not offered", [ATTEMPT_UNJUDGED] = "not judged" };

	return texts[outcome];
}

/* The nearest attempt of that OUTCOME above QPS (SIDE 1) or below it (SIDE -1); num: there is none. */
static size_t
nearest(const struct attempts *a, enum attempt_outcome outcome, double qps, int side)
{
	size_t found = a->num;

	for (size_t i = 0; i < a->num; i++) {
		double distance = (a->list[i].qps - qps) * side;

		if (a->list[i].outcome == outcome && distance > 0 &&
		    (found == a->num || distance < (a->list[found].qps - qps) * side))
			found = i;
	}
	return found;
}

/* All attempts that were not judged, by rate, thinned to MAX. */
static size_t
pick_unjudged(const struct attempts *a, size_t max, size_t picked[])
{
	size_t *order = memory_alloc(a->num, sizeof *order), num = 0, count;

	for (size_t i = nearest(a, ATTEMPT_UNJUDGED, 0, 1); i < a->num; i = nearest(a, ATTEMPT_UNJUDGED, a->list[i].qps, 1))
		order[num++] = i;
	count = num < max ? num : max;
	for (size_t i = 0; i < count; i++)
		picked[i] = order[count > 1 ? i * (num - 1) / (count - 1) : 0];
	free(order);
	return count;
}

size_t
attempts_pick(const struct attempts *a, size_t max, size_t picked[])
{
	size_t best = nearest(a, ATTEMPT_PASSED, INFINITY, -1), failing, candidates[4], num = 0;

	for (size_t i = 0; i < a->num; i++)
		if (a->list[i].outcome == ATTEMPT_PASSED && a->list[i].qps == a->best_qps)
			best = i;
	failing = nearest(a, ATTEMPT_FAILED, a->best_qps, 1);
	candidates[0] = best;
	candidates[1] = failing;
	candidates[2] = best < a->num ? nearest(a, ATTEMPT_PASSED, a->best_qps, -1) : a->num;
	candidates[3] = failing < a->num ? nearest(a, ATTEMPT_FAILED, a->list[failing].qps, 1) : a->num;
	for (size_t i = 0; i < 4; i++)
		if (candidates[i] < a->num && num < max)
			picked[num++] = candidates[i];
	return num > 0 ? num : pick_unjudged(a, max, picked);
}
