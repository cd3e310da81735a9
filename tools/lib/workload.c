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

void
workload_init(struct workload *w, struct settings *settings, double qps, struct error *e)
{
	interval_init(&w->interval, settings, qps, e);
	length_init(&w->length, settings, e);
	w->count = 0;
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
