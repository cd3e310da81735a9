/* When requests are due: a renewal process of a given rate, or the times of a trace. */
#ifndef INTERVAL_H
#define INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "random.h"
#include "trace.h"

struct settings;

struct interval {
	double mean;     /* seconds between two requests */
	double cv;       /* coefficient of variation of these intervals */
	struct random random;
	double last;     /* seconds from the start of the run, of the last request */
	bool is_trace;
	struct trace trace; /* one column: seconds */
	double scale;    /* of the trace's seconds */
	size_t next;     /* row of the trace */
};

/* Reads interval_type and the fields it names; QPS: requests per second. Faults go to SETTINGS' errors and to E. */
void interval_init(struct interval *interval, struct settings *settings, double qps, struct error *e);

/* The times of recorded REQUESTS (trace_request_columns, sorted), by time_scale_factor. */
void interval_init_replay(struct interval *interval, struct settings *settings, const struct trace *requests);

/* Seconds from the start of the run, never less than before; false when the trace is at its end. */
bool interval_next(struct interval *interval, double *time);
void interval_free(struct interval *interval);

#endif
