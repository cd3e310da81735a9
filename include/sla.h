/* The evaluation of a trial directory: its requests counted, its rules judged, each file read once. */
#ifndef SLA_H
#define SLA_H

#include <stdbool.h>

#include "arrival.h"
#include "error.h"
#include "rule.h"
#include "verdict.h"

struct json_object;

struct sla_result {
	enum verdict_passed passed;        /* VERDICT_NONE without rules; says nothing of how many requests failed */
	struct json_object *metric_values; /* key to value or null, in the order of the rules; owned */
	double num_requests;               /* successful and failed */
	double num_failed;                 /* rows with an error, and those counted beyond them */
	double num_rows;                   /* of request_metrics.csv; 0 where there is none */
	double num_error_rows;             /* of those, the failed ones */
	bool has_results;                  /* benchmark_results.json is there */
	bool is_limited;                   /* and says in its summary "limited_by": "harness" */
	bool is_stopped;                   /* and says there "stopped_early": true: requests, and what worker_timeline.csv tells, are not all there */
	char *note;                        /* what it says there of the trial, for people, "note"; NULL: nothing; owned */
	struct arrivals arrivals;          /* of the rows, where they have an arrival_time; none unless asked for */
};

/*
 * Evaluates DIRECTORY: request_metrics.csv, worker_timeline.csv where a rule needs it, and
 * benchmark_results.json where it is there. PLANNED is the number of requests that there should be
 * (0: not known); without benchmark_results.json rows short of it are failed requests.
 * Of a trial that was stopped early the queue has no value, and its rule fails.
 * The arrivals are looked at WITH_ARRIVALS only: they take time.
 * EX_DATAERR: the data cannot be judged; EX_NOINPUT: a file that a rule needs is missing. request_metrics.csv
 * may be missing where no rule needs it and there is something else to judge by: benchmark_results.json, or
 * worker_timeline.csv for a rule; without both it and benchmark_results.json the counts are 0. Returns 0 or -1.
 */
int sla_evaluate(const char *directory, const struct rules *rules, double planned, bool with_arrivals,
    struct sla_result *result, struct error *e);
void sla_result_free(struct sla_result *result);

#endif
