/*
 * A job: one search. Its directory is OUTPUT_DIR/jobs/NAME_KEY, and job.json in it holds all that a
 * trial and the search need to know. That file is one JSON object:
 *
 *   job_name            text, as the config has it
 *   job_key             the ten hex digits of the directory's name
 *   harness             the harness in effect: a name, or {"command": [ARGV...]}, as the config writes it
 *   config_dir          absolute path of the config file's directory, where the harness runs
 *   benchmark_config    benchmark_base with benchmark_overrides merged into it, types checked
 *   benchmark_overrides what the job overrides
 *   benchmark_timeout   seconds from the start of a trial, or null: none
 *   search              start_qps or qps_list, max_iterations, min_search_granularity_pct,
 *                       max_qps_cap (null: none), max_failed_requests_pct, early_stop (fail or both;
 *                       missing: off)
 *   resources           gpus and ports of the pool (pool.h), as text; missing without one
 *
 * cs-expand writes it; OUTPUT_DIR/sla.json, a list of rules or null, stands two levels up.
 */
#ifndef JOB_H
#define JOB_H

#include <stddef.h>

#include "early_stop.h"
#include "error.h"
#include "search.h"

struct json_object;

/* In a job's directory, held while somebody searches the job. */
#define JOB_LOCK ".lock"

struct job {
	char *directory;             /* as it was given, without slashes at its end */
	char *directory_name;        /* NAME_KEY */
	char *output_dir;            /* the directory two levels up */
	struct json_object *json;    /* all of job.json */
	struct search search;
	double max_failed_requests_pct; /* per cent of a trial's requests */
	enum early_stop early_stop;
	double benchmark_timeout;    /* seconds; INFINITY: none */
};

/* Reads DIRECTORY/job.json. EX_NOINPUT or EX_DATAERR. Returns 0 or -1; then nothing is to be freed. */
int job_read(const char *directory, struct job *job, struct error *e);
void job_free(struct job *job);

/* The job's name and its harness' ("sim", or the command's first word). They live as long as the job. */
const char *job_name(const struct job *job);
const char *job_harness(const struct job *job);

/* The trial directory for QPS, below the job's directory (to be freed). */
char *job_trial_directory(const struct job *job, double qps);

/*
 * The directory name NAME_KEY for a job of that NAME (text) and KEY_HEX: what is outside
 * [A-Za-z0-9_-] becomes _, runs of _ one, none at the ends, 50 characters at the most (to be freed).
 */
char *job_directory_name(const char *name, const char *key_hex);

#endif
