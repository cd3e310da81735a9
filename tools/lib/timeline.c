#include "timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>

#include "columns.h"
#include "levels.h"
#include "memory.h"
#include "rule.h"

struct state {
	double worker;   /* its number */
	double depth;    /* requests waiting */
	double duration; /* seconds; for timeline_queue_depth() summed over the worker's states so far */
	size_t row;
};

/* What the states come to; and where their sums are too close for that, the states in order of worker, then depth. */
struct timeline {
	char *path;
	struct levels levels;
	struct state *states; /* NULL: not needed so far */
	size_t count;
};

/* The columns while they are read. */
struct reading {
	struct columns columns;
	struct column *worker, *duration, *depth;
	struct levels levels;
};

static void
want_columns(struct reading *r)
{
	memset(r, 0, sizeof *r);
	r->worker = columns_want(&r->columns, "worker_id", COLUMN_LABEL, true);
	r->duration = columns_want(&r->columns, "duration_s", COLUMN_NUMBER, true);
	r->depth = columns_want(&r->columns, RULE_QUEUE_METRIC, COLUMN_NUMBER, true);
}

static void
take_rows(void *reading, size_t num)
{
	struct reading *r = reading;
	const double *workers = r->worker->cells, *durations = r->duration->cells, *depths = r->depth->cells;

	for (size_t i = 0; i < num; i++)
		if (!isnan(workers[i]) && durations[i] > 0 && !isnan(depths[i]))
			levels_add(&r->levels, (size_t)workers[i], depths[i], durations[i]);
}

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

static void
make_states(struct timeline *t, const double *workers, const double *durations, const double *depths, size_t num_rows)
{
	struct state *s;

	t->states = s = memory_alloc(num_rows, sizeof *t->states);
	for (size_t i = 0; i < num_rows; i++)
		if (!isnan(workers[i]) && durations[i] > 0 && !isnan(depths[i]))
			*s++ = (struct state){ workers[i], depths[i] + 0.0, durations[i], i };
	t->count = (size_t)(s - t->states);
	qsort(t->states, t->count, sizeof *t->states, compare);
	for (size_t i = 1; i < t->count; i++)
		if (t->states[i].worker == t->states[i - 1].worker)
			t->states[i].duration += t->states[i - 1].duration;
}

static int
read_states(struct timeline *t, struct error *e)
{
	struct reading r;
	int status;

	want_columns(&r);
	status = columns_read(&r.columns, t->path, e);
	if (status == 0)
		make_states(t, r.worker->values, r.duration->values, r.depth->values, r.columns.num_rows);
	columns_free(&r.columns);
	return status;
}

static int
read_levels(struct timeline *t, struct error *e)
{
	struct reading r;
	int status;

	want_columns(&r);
	r.columns.take_rows = take_rows;
	r.columns.argument = &r;
	status = columns_read(&r.columns, t->path, e);
	columns_free(&r.columns);
	t->levels = r.levels;
	levels_sort(&t->levels);
	return status;
}

struct timeline *
timeline_read(const char *path, struct error *e)
{
	struct timeline *t = memory_alloc(1, sizeof *t);
	struct stat st;
	int status;

	t->path = memory_string(path);
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		status = read_states(t, e); /* it cannot be read again for them */
	else
		status = read_levels(t, e);
	if (status == 0 && t->levels.count + t->count == 0)
		status = error_add(e, EX_DATAERR, path, 0, "no row has a worker_id, a duration_s above 0 and a %s, "
		    "so that no queue can be judged", RULE_QUEUE_METRIC);
	if (status == 0)
		return t;
	timeline_free(t);
	return NULL;
}

void
timeline_free(struct timeline *timeline)
{
	if (!timeline)
		return;
	levels_free(&timeline->levels);
	free(timeline->states);
	free(timeline->path);
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
timeline_queue_depth(struct timeline *timeline, double quantile)
{
	struct error e = ERROR_NONE;
	const struct state *s, *end, *next;
	double worst = -INFINITY;

	if (!timeline->states && levels_depth(&timeline->levels, quantile, &worst))
		return worst;
	if (!timeline->states && read_states(timeline, &e) < 0) {
		error_clear(&e); /* it was there a moment ago; what is known has to do */
		return worst;
	}
	s = timeline->states;
	end = s + timeline->count;
	for (worst = -INFINITY; s < end; s = next) {
		for (next = s + 1; next < end && next->worker == s->worker;)
			next++;
		worst = fmax(worst, worker_depth(s, next, quantile));
	}
	return worst;
}
