/*
 * A trial: one benchmark at one rate, in a directory of its own.
 *
 *   .lock                 held while the trial is run or judged (lock.h); has text while processes of it may live
 *   .waiting              while it waits for locks: their names, on one line
 *   trial_config.json     what it was run with (trial_config.h); written before the harness starts
 *   benchmark.log         what the harness printed; .1: of the try before
 *   request_metrics.csv, worker_timeline.csv, benchmark_results.json, and what else the harness leaves
 *   trial_result.json     what it came to (trial_result.h); written last
 *
 * benchmark_results.json is there only if the harness ended by itself with status 0, or was ended because the verdict was known
 * (lookout.h): with the lock's file empty and trial_config.json the right one, it makes the trial complete, if enough requests
 * succeeded, and if the rows of one that was ended decide its verdict under the rules of today.
 */
#ifndef TRIAL_H
#define TRIAL_H

#include <stdbool.h>

#include "demand.h"
#include "early_stop.h"
#include "error.h"
#include "guardian.h"
#include "harness.h"
#include "pool.h"
#include "rule.h"

struct claim;
struct job;
struct json_object;

struct trial {
	char *directory;          /* as it was given */
	char *title;              /* what people know it by: the job's name, or the directory */
	char *lock_path;
	char *run_dir;            /* what trial_result.json calls it: relative to the output directory */
	double qps;               /* 0: none */
	bool of_job;              /* else a command's, which is complete without CSV files too, by its status 0 */
	struct harness harness;
	struct json_object *config; /* what counts of trial_config.json */
	struct demand demand;     /* what it uses; nothing for a command */
	struct pool pool;         /* where that comes from */
	struct json_object *assigned; /* fields of the config whose values come from the pool; NULL: none */
	struct rules rules;
	double planned;           /* requests; 0: not known */
	double max_failed_pct;    /* per cent of the requests that may fail */
	enum early_stop early_stop;
	double timeout;           /* seconds; INFINITY: none */
	bool keep_failed;         /* complete however many failed */
};

/* JOB's trial at QPS; reads sla.json. EX_NOINPUT, EX_DATAERR, EX_UNAVAILABLE. Return 0 or -1; then nothing is to be freed. */
int trial_from_job(const struct job *job, double qps, struct trial *trial, struct error *e);

/*
 * A trial of HARNESS, made from a command, in DIRECTORY; it takes HARNESS over. CS_QPS in its environment
 * is the rate. EX_USAGE.
 */
int trial_from_command(const char *directory, struct harness *harness, double timeout, struct trial *trial,
    struct error *e);
void trial_free(struct trial *trial);

/* The path of NAME in the trial's directory (to be freed). */
char *trial_path(const struct trial *trial, const char *name);

/* Whether the directory has a file NAME. */
bool trial_has(const struct trial *trial, const char *name);

/* Makes the directory where it is missing. EX_CANTCREAT, also if the path is no directory of its own. Returns 0 or -1. */
int trial_make_directory(const struct trial *trial, struct error *e);

/* Shows in the directory that the trial waits for WHAT; NULL: that it does not. EX_CANTCREAT, EX_IOERR. Returns 0 or -1. */
int trial_show_waiting(const struct trial *trial, const char *what, struct error *e);

/* Tells the harness, in its config and its environment, what CLAIM (held, for the trial's demand) has from the pool. */
void trial_assign(struct trial *trial, const struct claim *claim);

/*
 * Makes the directory ready for a try, under its lock: no process and no file of the try before is left but its log, and
 * trial_config.json is written; the harness knows its trial from its environment. MARK is in the lock's file from here on.
 * Returns the descriptor for the log, or -1: EX_CANTCREAT, EX_IOERR, also if the directory holds what no trial has left.
 */
int trial_prepare(struct trial *trial, int lock, const char *mark, struct error *e);

/* After the last process: benchmark_results.json stays only after status 0, the lock's file is emptied. Whether both worked. */
bool trial_settle(const struct trial *trial, int lock, const struct guardian_outcome *outcome);

#endif
