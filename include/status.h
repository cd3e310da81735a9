/*
 * How far a search is, here or elsewhere: read from the files of its output directory. Whether a job is being searched and a
 * trial is under way, their locks say, which are asked and not kept; so what was killed is not taken for running.
 */
#ifndef STATUS_H
#define STATUS_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

/* In a trial directory while cs-trial waits for locks: their names, on one line. */
#define STATUS_WAITING ".waiting"

struct status_trial {
	char *job;          /* its name */
	char *qps;          /* as its directory is named */
	char *waiting_for;  /* the names of locks; NULL: it runs */
	double elapsed;     /* seconds */
	double timeout;     /* seconds; INFINITY: none */
	double best_qps;    /* the bracket so far: highest passing rate, 0 where none passed */
	double failing_qps; /* and lowest failing one, 0 where none failed */
};

struct status {
	struct status_trial *trials; /* those under way, in the order of the jobs */
	size_t num_trials;
	size_t num_waiting;            /* those of them that wait */
	size_t num_jobs, num_finished; /* jobs, and those of them with a summary */
	size_t num_done;               /* trials of the jobs that are not finished, done so far */
	double seconds_left;           /* an estimate from the trials finished so far; NAN: nothing to go by */
};

/* Reads OUTPUT_DIR. The errors are those of roster_read(). Returns 0 or -1; then nothing is to be freed. */
int status_read(const char *output_dir, struct status *status, struct error *e);
void status_free(struct status *status);

/*
 * A line for each trial under way, then one for all (to be freed). UTF8 and WIDTH as in table.h; of more than HEIGHT lines (0: any
 * number) only the first are shown.
 */
char *status_text(const struct status *status, bool utf8, size_t width, size_t height);

#endif
