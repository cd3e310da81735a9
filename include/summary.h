/*
 * The result of one job, job_summary.json: one object, its members described in job_summary.json(5),
 * made from the results of the job's trials.
 */
#ifndef SUMMARY_H
#define SUMMARY_H

#include "error.h"
#include "job.h"
#include "jsontext.h"

struct json_object;

#define SUMMARY_FILE "job_summary.json"

/*
 * Reads the trial results that JOB's search leads to, and no others, and writes trials.mk, then
 * job_summary.json with the latest mtime of what it rests on. ERROR_TEXT (or NULL) is what went wrong
 * with the job as its caller saw it; a trial's own error goes before it. NUM_RESULTS trials have results of this search,
 * those that it does not lead to among them (0: not known). What is wrong with a trial is
 * the job's error, not one of this function: EX_DATAERR when the directory's name is not fit for make,
 * EX_CANTCREAT, EX_IOERR. Returns 0 or -1.
 */
int summary_write(const struct job *job, const char *error_text, long num_results, struct error *e);

/* A summary as it is read: most of it is the trace, which few need as more than text. */
struct summary {
	struct json_object *members; /* all of them, but search_trace is empty here */
	struct jsontext text;        /* the whole object, in bytes */
	struct jsontext trace;       /* the search_trace */
	char *bytes;
};

/* Reads PATH. EX_NOINPUT, EX_IOERR, or EX_DATAERR if it is no summary. Returns 0 or -1; then nothing is to be freed. */
int summary_read(const char *path, struct summary *s, struct error *e);
void summary_free(struct summary *s);

/* Makes S stand for a summary that cannot be read: no trials, and WHY as its error. HARNESS stays the caller's. */
void summary_missing(const char *job_name, const char *job_key, struct json_object *harness, const char *why,
    struct summary *s);

/* The search_trace of S (json_object_put() it); empty if it cannot be parsed. */
struct json_object *summary_trace(const struct summary *s);

#endif
