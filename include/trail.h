/* The trials of one job as its search comes to them: each result read when it is its turn, others not at all. */
#ifndef TRAIL_H
#define TRAIL_H

#include <stdbool.h>
#include <stddef.h>

#include "job.h"
#include "search.h"
#include "verdict.h"

struct json_object;

struct trail_trial {
	char *run_dir;              /* relative to the output directory: jobs/NAME_KEY/runs/4 */
	char *benchmark_results;    /* path of its benchmark_results.json, for this process */
	struct json_object *result; /* all of trial_result.json */
};

struct trail {
	struct verdict *verdicts;   /* the trials' verdicts; the trace points into them */
	struct trail_trial *trials; /* the same trials in the same order, each once */
	size_t num;
	struct search_trace trace;
	char *error;                /* why the search cannot go on, "4 qps: ..."; NULL: it is over */
	bool error_is_own;          /* a trial says so, or its result is no good; else a result is missing */
};

/* Follows JOB's search through runs/QPS/trial_result.json. What is wrong with a trial is the trail's error. */
void trail_follow(const struct job *job, struct trail *trail);
void trail_free(struct trail *trail);

/* The trial behind an entry of the trace. */
const struct trail_trial *trail_trial(const struct trail *trail, size_t entry);

#endif
