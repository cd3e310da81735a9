#include "interval.h"

#include <math.h>
#include <string.h>

#include "settings.h"

enum { STREAM = 1 };

/* The time that the text field NAME gives, in seconds since 1970. */
static double
read_time(struct settings *settings, const char *name)
{
	const char *text = settings_text(settings, name);
	double seconds = 0;

	if (*text && trace_time(text, &seconds) < 0)
		settings_fault(settings, name, "\"%s\"; expected YYYY-MM-DD HH:MM:SS", text);
	return seconds;
}

/* Keeps the times from START up to END, in order, counted from the first. */
static void
cut_trace(struct trace *trace, double start, double end)
{
	size_t kept = 0;

	for (size_t i = 0; i < trace->num_rows; i++)
		if (trace->values[i] >= start && trace->values[i] < end)
			trace->values[kept++] = trace->values[i];
	trace->num_rows = kept;
	trace_sort(trace);
	for (size_t i = kept; i-- > 0;)
		trace->values[i] -= trace->values[0];
}

static void
init_interval_trace(struct interval *a, struct settings *settings, struct error *e)
{
	const char *path = settings_is_null(settings, "interval_trace_file") ? "" : settings_text(settings, "interval_trace_file");
	double start = read_time(settings, "interval_trace_start_time"), end = read_time(settings, "interval_trace_end_time");

	a->scale = settings_number(settings, "interval_trace_time_scale_factor", 0, 1e9);
	if (!*path) {
		settings_fault(settings, "interval_type", "\"trace\" needs interval_trace_file");
		return;
	}
	if (trace_read(path, trace_request_columns, 1, NULL, &a->trace, e) < 0)
		return;
	cut_trace(&a->trace, start, end);
	if (a->trace.num_rows == 0)
		settings_fault(settings, "interval_trace_file",
		    "no row of %s is between interval_trace_start_time and interval_trace_end_time", path);
}

void
interval_init(struct interval *a, struct settings *settings, double qps, struct error *e)
{
	static const char *const kinds[] = { "poisson", "gamma", "static", "trace", NULL };
	enum { POISSON, GAMMA, STATIC, TRACE };
	int kind = settings_choice(settings, "interval_type", kinds);

	memset(a, 0, sizeof *a);
	a->mean = 1 / qps;
	a->is_trace = kind == TRACE;
	if (kind == TRACE)
		init_interval_trace(a, settings, e);
	else if (kind == GAMMA)
		a->cv = settings_number(settings, "cv", 0, 100);
	else
		a->cv = kind == POISSON;
	random_seed(&a->random, (uint64_t)settings_integer(settings, "seed", 0, INT64_MAX), STREAM);
}

void
interval_init_replay(struct interval *a, struct settings *settings, const struct trace *requests)
{
	memset(a, 0, sizeof *a);
	a->is_trace = true;
	a->scale = settings_number(settings, "time_scale_factor", 0, 1e9);
	a->trace = trace_part(requests, 0, 1);
	cut_trace(&a->trace, -INFINITY, INFINITY);
}

bool
interval_next(struct interval *a, double *time)
{
	if (!a->is_trace)
		a->last += a->mean * random_gamma(&a->random, a->cv);
	else if (a->next < a->trace.num_rows)
		a->last = a->trace.values[a->next++] * a->scale;
	else
		return false;
	*time = a->last;
	return true;
}

void
interval_free(struct interval *a)
{
	trace_free(&a->trace);
}
