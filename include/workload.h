/*
 * The requests of a run, generated one at a time: when each is due and how long it is, by the fields of the benchmark
 * config (interval_type, length_type, request_generator_type ...).
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "interval.h"
#include "length.h"

enum { WORKLOAD_REQUESTS_MAX = 10000000 }; /* in one run */

struct workload {
	struct interval interval;
	struct length length;
	uint64_t num_requests; /* at most so many */
	double duration;       /* seconds; INFINITY: as long as it takes */
	uint64_t count;        /* requests so far */
};

struct workload_request {
	double arrival; /* seconds from the start of the run */
	struct length_tokens tokens;
};

/*
 * QPS: requests per second. Faults of the config go to SETTINGS' errors, those of a trace file to E.
 * workload_free() it in any case.
 */
void workload_init(struct workload *workload, struct settings *settings, double qps, struct error *e);

/* The next request; false when there are no more. */
bool workload_next(struct workload *workload, struct workload_request *request);
void workload_free(struct workload *workload);

#endif
