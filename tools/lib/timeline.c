#include "timeline.h"

#include <math.h>
#include <stdlib.h>
#include <sysexits.h>

#include "columns.h"
#include "memory.h"
#include "rule.h"

struct state {
	double worker;   /* its number */
	double depth;    /* requests waiting */
	double duration; /* seconds; for timeline_queue_depth() summed over the worker's states so far */
	size_t row;
};

/* The states that count, in order of worker, then depth. */
struct timeline {
	struct state *states;
	size_t count;
};

/* Rows of equal depth stay in the order of the file: sums of doubles depend on it. */
static int
compare(const void *a, const void *b)
{
	const struct state *x = a, *y = b;

	if (x->worker != y->worker)
		return x->worker < y->worker ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static struct timeline *
timeline_new(const double *workers, const double *durations, const double *depths, size_t num_rows)
{
	struct timeline *t = memory_alloc(1, sizeof *t);
	struct state *s;

	for (size_t i = 0; i < num_rows; i++)
		t->count += !isnan(workers[i]) && durations[i] > 0 && !isnan(depths[i]);
	t->states = s = memory_alloc(t->count, sizeof *t->states);
	for (size_t i = 0; i < num_rows; i++)
		if (!isnan(workers[i]) && durations[i] > 0 && !isnan(depths[i]))
			*s++ = (struct state){ workers[i], depths[i], durations[i], i };
	qsort(t->states, t->count, sizeof *t->states, compare);
	for (size_t i = 1; i < t->count; i++)
		if (t->states[i].worker == t->states[i - 1].worker)
			t->states[i].duration += t->states[i - 1].duration;
	return t;
}

struct timeline *
timeline_read(const char *path, struct error *e)
{
	struct columns columns = { 0 };
	struct column *worker = columns_want(&columns, "worker_id", COLUMN_LABEL, true);
	struct column *duration = columns_want(&columns, "duration_s", COLUMN_NUMBER, true);
	struct column *depth = columns_want(&columns, RULE_QUEUE_METRIC, COLUMN_NUMBER, true);
	struct timeline *t = NULL;

	if (columns_read(&columns, path, e) == 0) {
		t = timeline_new(worker->values, duration->values, depth->values, columns.num_rows);
		if (t->count == 0) {
			error_add(e, EX_DATAERR, path, 0, "no row has a worker_id, a duration_s above 0 and a %s, "
			    "so that no queue can be judged", RULE_QUEUE_METRIC);
			timeline_free(t);
			t = NULL;
		}
	}
	columns_free(&columns);
	return t;
}

void
timeline_free(struct timeline *timeline)
{
	if (!timeline)
		return;
	free(timeline->states);
	free(timeline);
}

/* The depth for the worker whose states end before END. */
static double
worker_depth(const struct state *s, const struct state *end, double quantile)
{
	double enough = quantile > 0 ? quantile * end[-1].duration : 0;

	while (s->duration < enough)
		s++;
	return s->depth;
}

double
timeline_queue_depth(const struct timeline *timeline, double quantile)
{
	const struct state *s = timeline->states, *end = s + timeline->count, *next;
	double worst = -INFINITY;

	for (; s < end; s = next) {
		for (next = s + 1; next < end && next->worker == s->worker;)
			next++;
		worst = fmax(worst, worker_depth(s, next, quantile));
	}
	return worst;
}
