#include "search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "json.h"
#include "memory.h"
#include "rate.h"

void
search_init(struct search *s)
{
	memset(s, 0, sizeof *s);
	s->max_iterations = SEARCH_MAX_ITERATIONS;
	s->min_search_granularity_pct = SEARCH_GRANULARITY_PCT;
	s->max_qps_cap = RATE_MAX;
}

void
search_free(struct search *s)
{
	free(s->qps_list);
	s->qps_list = NULL;
}

int
search_from_json(struct json_object *object, const char *file, struct search *s, struct error *e)
{
	struct json_object *list;

	search_init(s);
	s->start_qps = json_get_number(object, "start_qps", 0);
	s->max_iterations = (long)json_get_number(object, "max_iterations", SEARCH_MAX_ITERATIONS);
	s->min_search_granularity_pct = json_get_number(object, "min_search_granularity_pct", SEARCH_GRANULARITY_PCT);
	s->max_qps_cap = json_get_number(object, "max_qps_cap", RATE_MAX);
	if (json_object_object_get_ex(object, "qps_list", &list) && json_object_is_type(list, json_type_array)) {
		s->num_qps = json_object_array_length(list);
		s->qps_list = memory_alloc(s->num_qps, sizeof *s->qps_list);
		for (size_t i = 0; i < s->num_qps; i++)
			s->qps_list[i] = json_object_get_double(json_object_array_get_idx(list, i));
	}
	if ((s->start_qps > 0) == (s->num_qps > 0)) {
		search_free(s);
		return error_add(e, EX_DATAERR, file, 0, "expected \"search\" with either start_qps or qps_list");
	}
	return 0;
}

/* How much worse a verdict is than a pass. */
static int
badness(const struct verdict *v)
{
	return v->errored ? 4 : v->timed_out ? 3 : v->limited ? 2 : v->passed != VERDICT_PASSED;
}

static const struct verdict *
verdict_at(double qps, const struct verdict *verdicts, size_t count)
{
	const struct verdict *best = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct verdict *v = &verdicts[i];

		if (v->qps != qps)
			continue;
		if (!best || v->num_requests > best->num_requests ||
		    (v->num_requests == best->num_requests && badness(v) > badness(best)))
			best = v;
	}
	return best;
}

/* The rate after the ones in T, or the reason why there is none. */
static enum search_end
next_adaptive(const struct search *s, struct search_trace *t)
{
	double left = t->best_qps, right = t->lowest_failing_qps, middle;

	if (t->num == 0) {
		t->next_qps = rate_round(fmin(s->start_qps, s->max_qps_cap));
	} else if (right == 0) {
		t->next_qps = rate_round(fmin(2 * left, s->max_qps_cap));
		if (t->next_qps <= left)
			return SEARCH_AT_CAP;
	} else {
		if (right - left < s->min_search_granularity_pct / 100 * fmax(fmax(right, left), 1.0))
			return SEARCH_CONVERGED;
		middle = rate_round((left + right) / 2);
		if (!(left < middle && middle < right))
			return SEARCH_CONVERGED;
		t->next_qps = middle;
	}
	return t->num >= (size_t)s->max_iterations ? SEARCH_OUT_OF_TRIALS : SEARCH_GOES_ON;
}

static enum search_end
next_in_list(const struct search *s, struct search_trace *t)
{
	if (t->num == s->num_qps)
		return SEARCH_LIST_DONE;
	t->next_qps = rate_round(s->qps_list[t->num]);
	return SEARCH_GOES_ON;
}

static void
append(struct search_trace *t, const struct verdict *v)
{
	t->entries = memory_resize(t->entries, t->num + 1, sizeof *t->entries);
	t->entries[t->num++] = v;
	if (v->errored) {
		t->end = SEARCH_ERRORED;
	} else if (v->timed_out) {
		t->end = SEARCH_TIMED_OUT;
	} else if (v->limited) {
		t->end = SEARCH_LIMITED;
	} else if (v->passed == VERDICT_PASSED) {
		t->best_qps = fmax(t->best_qps, v->qps);
	} else if (v->passed == VERDICT_FAILED) {
		if (t->lowest_failing_qps == 0 || v->qps < t->lowest_failing_qps)
			t->lowest_failing_qps = v->qps;
	}
}

void
search_replay(const struct search *s, const struct verdict *verdicts, size_t count, struct search_trace *t)
{
	memset(t, 0, sizeof *t);
	for (;;) {
		const struct verdict *v;

		t->end = s->num_qps ? next_in_list(s, t) : next_adaptive(s, t);
		if (t->end != SEARCH_GOES_ON)
			break;
		v = verdict_at(t->next_qps, verdicts, count);
		if (!v)
			return;
		append(t, v);
		if (t->end != SEARCH_GOES_ON)
			break;
	}
	t->next_qps = 0;
}

void
search_trace_free(struct search_trace *t)
{
	free(t->entries);
	t->entries = NULL;
	t->num = 0;
}
