/*
 * What the trials have in common that one cs-trial runs, one after the other: each from its locks to trial_result.json.
 */
#ifndef SESSION_H
#define SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

struct jobserver;
struct trial;
struct trial_result;

struct session {
	struct jobserver *jobserver;
	char *const *locks;    /* names of locks (resource.h), beside those that a trial's own demand takes */
	size_t num_locks;
	double grace;          /* seconds between TERM and KILL */
	bool is_patient;       /* waits for locks; else a trial that would have to wait is not run */
	void (*tell)(const char *text); /* is told what is waited for and who holds it */
	int signal;            /* the one that ended the last trial; 0: none did */
	char *listeners;       /* what was in use after it, for people (to be freed); NULL: nothing */
};

/*
 * Runs TRIAL, unless it is complete, and records R, its result; R->run_dir is NULL if a signal or impatience left it without
 * one. TERM, INT and HUP end the trial, and stay blocked after it (interrupt.h). Returns 0 or -1; trial_result_free() R in
 * either case.
 */
int session_run(struct session *session, struct trial *trial, struct trial_result *r, struct error *e);

#endif
