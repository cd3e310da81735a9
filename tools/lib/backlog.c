#include "backlog.h"

#include <math.h>
#include <string.h>

#include "columns.h"
#include "rule.h"

#define FIRST_WIDTH (1.0 / 1024) /* seconds; doubled as often as it takes */
#define TIME_MAX 1e9             /* seconds; a row beyond is none */

struct reading {
	struct backlog *backlog;
	struct column *start, *duration, *depth;
	double origin; /* start of the first row; NAN: none yet */
	double end;    /* of the last one, from there */
};

/* Makes bins twice as wide, each as deep as the deeper of two. */
static void
widen(struct backlog *b)
{
	for (size_t i = 0; i < BACKLOG_BINS; i++)
		b->depth[i] = i < BACKLOG_BINS / 2 ? fmax(b->depth[2 * i], b->depth[2 * i + 1]) : 0;
	b->width *= 2;
}

/* Takes a state of DURATION seconds with DEPTH requests waiting. */
static void
add_state(struct reading *r, double start, double duration, double depth)
{
	struct backlog *b = r->backlog;
	double end;

	if (!isfinite(start) || !(duration > 0) || !isfinite(depth))
		return;
	if (isnan(r->origin))
		r->origin = start;
	end = start - r->origin + duration;
	start = fmax(start - r->origin, 0);
	if (!(end > 0 && end < TIME_MAX))
		return;
	while (end > b->width * BACKLOG_BINS)
		widen(b);
	for (size_t i = (size_t)(start / b->width); i < BACKLOG_BINS && (double)i * b->width < end; i++)
		b->depth[i] = fmax(b->depth[i], depth);
	r->end = fmax(r->end, end);
}

static void
take_rows(void *reading, size_t num)
{
	struct reading *r = reading;

	for (size_t i = 0; i < num; i++)
		add_state(r, r->start->cells[i], r->duration->cells[i], r->depth->cells[i]);
}

int
backlog_read(const char *path, struct backlog *b, struct error *e)
{
	struct columns columns = { 0 };
	struct reading r = { .backlog = b, .origin = NAN };
	int status;

	memset(b, 0, sizeof *b);
	b->width = FIRST_WIDTH;
	r.start = columns_want(&columns, "start_time", COLUMN_NUMBER, true);
	r.duration = columns_want(&columns, "duration_s", COLUMN_NUMBER, true);
	r.depth = columns_want(&columns, RULE_QUEUE_METRIC, COLUMN_NUMBER, true);
	columns.take_rows = take_rows;
	columns.argument = &r;
	status = columns_read(&columns, path, e);
	columns_free(&columns);
	b->num = (size_t)ceil(r.end / b->width);
	return status;
}
