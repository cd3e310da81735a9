/*
 * The result of one job, made from the results of its trials: job_summary.json and trials.mk.
 *
 * job_summary.json is one object, its members described in job_summary.json(5). trials.mk tells make
 * what that file rests on; the paths in it are relative to the output directory, which includes it:
 *
 *   jobs/D/job_summary.json: jobs/D/runs/2/benchmark_results.json ...
 *   jobs/D/runs/2/benchmark_results.json ...:;
 *   jobs/D/job_summary.json capacity_search_results.json: FORCE
 *
 * The first two lines name the complete trials of the trace: a change or the loss of one brings the
 * job back. The third is there when something has to run again in the next invocation; within ifndef
 * KEEP_FAILED when that is only a trial in which too many requests failed.
 */
#ifndef SUMMARY_H
#define SUMMARY_H

#include "error.h"
#include "job.h"

struct json_object;

#define SUMMARY_FILE "job_summary.json"

/*
 * Reads the trial results that JOB's search leads to, and no others, and writes trials.mk, then
 * job_summary.json with the latest mtime of what it rests on. ERROR_TEXT (or NULL) is what went wrong
 * with the job as its caller saw it; a trial's own error goes before it. What is wrong with a trial is
 * the job's error, not one of this function: EX_DATAERR when the directory's name is not fit for make,
 * EX_CANTCREAT, EX_IOERR. Returns 0 or -1.
 */
int summary_write(const struct job *job, const char *error_text, struct error *e);

/* The summary in the file PATH. NULL with EX_NOINPUT, EX_IOERR, or EX_DATAERR if it is none. json_object_put() it. */
struct json_object *summary_read(const char *path, struct error *e);

/* What stands for a summary that cannot be read: no trials, and WHY as its error. json_object_put() it. */
struct json_object *summary_missing(const char *job_name, const char *job_key, struct json_object *harness,
    const char *why);

#endif
