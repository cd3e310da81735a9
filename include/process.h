/* Processes: finding what descends from one of ours or carries a mark in its environment, and ending it. */
#ifndef PROCESS_H
#define PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/* The environment variable that marks the processes of one try of a trial. */
#define PROCESS_MARK "CS_TRIAL_ID"

/* Seconds on the clock that no one sets. */
double process_clock(void);

/* Whether this process has a child, living or not yet waited for. */
bool process_has_children(void);

/*
 * Ends every process that descends from ROOT (0: none; not ROOT itself) or carries MARK (NULL: none)
 * as its PROCESS_MARK, with the descendants of such: TERM once to each, in whatever session, then KILL,
 * again and again, for what still lives GRACE seconds later. Returns when none is left but those that
 * we have no permission to signal. Where ROOT is the caller, which should be a subreaper, its
 * children are waited for as they end. SIGCHLD must be blocked.
 */
void process_end(pid_t root, const char *mark, double grace);

/* Closes every descriptor from 3 up but the COUNT ones in KEEP. */
void process_close_all_but(const int *keep, size_t count);

#endif
