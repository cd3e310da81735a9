/*
 * trials.mk tells make what job_summary.json rests on. The paths in it are relative to the output
 * directory, whose Makefile includes it:
 *
 *   jobs/D/job_summary.json: jobs/D/runs/2/benchmark_results.json ...
 *   jobs/D/runs/2/benchmark_results.json ...:;
 *   jobs/D/job_summary.json capacity_search_results.json: FORCE
 *
 * The first two lines name the complete trials of the trace: a change or the loss of one brings the
 * job back. The third is there when something has to run again in the next invocation; within ifndef
 * KEEP_FAILED when that is only a trial in which too many requests failed.
 */
#ifndef TRIALS_MK_H
#define TRIALS_MK_H

#include <stdbool.h>

#include "job.h"
#include "trail.h"

/* Whether make and a shell can take the name of JOB's directory as it is. */
bool trials_mk_is_safe(const struct job *job);

/* The text for JOB, whose search went along TRAIL; AGAIN: the job has an error, and has to run again. To be freed. */
char *trials_mk_text(const struct job *job, const struct trail *trail, bool again);

#endif
