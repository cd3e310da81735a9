/*
 * One open-loop run: requests are sent when the workload says, whatever the service does, and every latency counts from
 * when its request was due. Rows go to request_metrics.csv as requests finish.
 *
 * The run keeps count of its own lateness: from when a request was due to when the network had it. A request that
 * finds no free connection waits for one, and that counts as lateness too; if none is free within the time-out, it failed.
 */
#ifndef LOAD_H
#define LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "client.h"
#include "error.h"
#include "lateness.h"
#include "payload.h"
#include "rows.h"
#include "workload.h"

#define LOAD_HEADER "request_id,arrival_time,request_scheduling_delay,ttft,tpot,request_e2e_time,status,error,prompt_tokens,completion_tokens"

enum { LOAD_CAUSES = 16 };

struct load_cause {
	char text[CLIENT_TEXT_MAX]; /* of the requests' error */
	uint64_t count;
};

struct load {
	/* The caller's: */
	struct client *client;
	struct payload *payload;
	struct workload *workload;
	struct rows *rows;
	double timeout;           /* seconds, as the client has it */
	double threshold;         /* seconds, the smallest latency that the service is judged by; INFINITY: none */
	long num_warmups;         /* requests before the run, which are not counted */

	/* Zeroed at first, then the outcome: */
	uint64_t num_successful, num_failed, num_failed_warmups;
	uint64_t num_unconnected; /* requests that found no free connection in time, or no file or port */
	uint64_t num_waited;      /* requests that had to wait for a free connection */
	struct lateness lateness;
	struct load_cause causes[LOAD_CAUSES]; /* why requests failed; the last one has all the rest */
	double start, elapsed;    /* seconds; clock_now() */
};

/* Sends all of the workload and waits until the last request came to its end. EX_IOERR if rows cannot be written. Returns 0 or -1. */
int load_run(struct load *load, struct error *e);

/*
 * Why the run says more of the generator than of the service, to be freed; NULL: it does not. That is when its lateness
 * is above 1 ms or 5 % of the threshold at the median, or requests found no connection.
 */
char *load_limit(const struct load *load);

/* Publishes the counts, with LIMIT as load_limit() has it, in DIRECTORY/benchmark_results.json. EX_CANTCREAT, EX_IOERR. Returns 0 or -1. */
int load_publish(const struct load *load, const char *limit, const char *directory, struct error *e);

#endif
