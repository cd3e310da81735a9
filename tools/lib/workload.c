#include "workload.h"

#include <math.h>

#include "settings.h"

/*
 * num_requests bounds a run; so does duration. With a duration, a num_requests that the config does
 * not give itself is none. Without either only a trace ends.
 */
static void
init_bounds(struct workload *w, struct settings *settings, double qps)
{
	bool has_duration = !settings_is_null(settings, "duration");
	bool has_count = !settings_is_null(settings, "num_requests") &&
	    (settings_is_given(settings, "num_requests") || !(has_duration || w->interval.is_trace));

	w->duration = has_duration ? settings_number(settings, "duration", 0, 1e9) : INFINITY;
	w->num_requests = WORKLOAD_REQUESTS_MAX;
	if (has_count)
		w->num_requests = (uint64_t)settings_integer(settings, "num_requests", 1, WORKLOAD_REQUESTS_MAX);
	else if (has_duration && !w->interval.is_trace && w->duration * qps > WORKLOAD_REQUESTS_MAX)
		settings_fault(settings, "duration", "%g seconds of %g requests a second; expected no more than %d requests",
		    w->duration, qps, WORKLOAD_REQUESTS_MAX);
	else if (!has_duration && !w->interval.is_trace)
		settings_fault(settings, "num_requests", "null; expected a number, or a duration");
}

/* request_generator_type: trace: the rows of trace_file (of the date trace_date), times and lengths together. */
static void
init_replay(struct workload *w, struct settings *settings, struct error *e)
{
	bool has_date = !settings_is_null(settings, "trace_date");
	struct trace_filter date = { "Date", has_date ? settings_text(settings, "trace_date") : "" };
	struct trace requests = { 0 };

	if (settings_is_null(settings, "trace_file"))
		settings_fault(settings, "request_generator_type", "\"trace\" needs trace_file");
	else if (trace_read(settings_text(settings, "trace_file"), trace_request_columns, 3, has_date ? &date : NULL,
	    &requests, e) == 0)
		trace_sort(&requests);
	interval_init_replay(&w->interval, settings, &requests);
	length_init_replay(&w->length, settings, &requests);
	trace_free(&requests);
}

void
workload_init(struct workload *w, struct settings *settings, double qps, struct error *e)
{
	static const char *const generators[] = { "synthetic", "trace", NULL };

	w->count = 0;
	if (settings_choice(settings, "request_generator_type", generators) == 1) {
		init_replay(w, settings, e);
	} else {
		interval_init(&w->interval, settings, qps, e);
		length_init(&w->length, settings, e);
	}
	init_bounds(w, settings, qps);
}

bool
workload_next(struct workload *w, struct workload_request *request)
{
	if (w->count == w->num_requests || !interval_next(&w->interval, &request->arrival) || request->arrival >= w->duration)
		return false;
	w->count++;
	request->tokens = length_next(&w->length);
	return true;
}

void
workload_free(struct workload *w)
{
	interval_free(&w->interval);
	length_free(&w->length);
}
