/* trial_result.json: what one try of a trial came to. trial_result.json(5) describes its members. */
#ifndef TRIAL_RESULT_H
#define TRIAL_RESULT_H

#include <stdbool.h>

#include "verdict.h"

struct json_object;

struct trial_result {
	double qps;                        /* 0: the trial has none */
	enum verdict_passed passed;
	struct json_object *metric_values; /* key to value or null; NULL: not judged; owned */
	char *run_dir;                     /* owned */
	bool cached, timed_out, limited, complete;
	char *error;                       /* the harness failed, or its data cannot be judged; NULL; owned */
	bool counted;                      /* the next two are known */
	double num_requests, num_failed;
	double num_decided;                /* requests that decided the verdict, so that the trial was stopped early; 0: it was not */
	double offered_qps;                /* 0: not known */
	char *note;                        /* what the harness has to say of the trial; NULL: nothing; owned */
	int harness_status;                /* exit status, 128+N for signal N; -1: none */
	char *started_at;                  /* UTC; NULL: not known; owned */
	double elapsed;                    /* seconds; NAN: not known */
};

/* Empty: nothing known, passed VERDICT_NONE. */
void trial_result_init(struct trial_result *r);
void trial_result_free(struct trial_result *r);

/* Sets started_at to now. */
void trial_result_start_now(struct trial_result *r);

/*
 * Takes from PATH what only the try itself could know: when it started, how long it took, the harness' status, and
 * whether it was complete. A missing or broken file leaves R as it is, complete false.
 */
void trial_result_recall(struct trial_result *r, const char *path);

/* The file's line (to be freed). */
char *trial_result_line(const struct trial_result *r);

/*
 * The same for people, without a newline: "x: 4 qps passed, ttft@q0.5 = 0.2 (12.3 s)". TITLE stands before it, TIMEOUT
 * in seconds and NOTE (NULL: none) in it (to be freed).
 */
char *trial_result_summary(const struct trial_result *r, const char *title, double timeout, const char *note);

#endif
