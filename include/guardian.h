/*
 * A harness under guard. Three processes: the caller P; the guardian G, in a session of its own, which
 * holds the locks and becomes the parent of every orphan below it; the harness H, below G.
 *
 *   P to G   one byte, or the end of the stream (P was killed): end everything
 *   G to P   one struct guardian_outcome, or the end of the stream (G was killed)
 *
 * G runs the clock, and whatever happens first (H ends, the time is up, P's word), it ends all that
 * descends from it, settles the trial's files, reports to P if there still is one, and exits, which frees the locks.
 * Without G, H is killed by the kernel, and P, to which the orphans then fall, does the rest. Without both,
 * the mark in the lock file and in the environment of what H left tells the next holder of the lock what to end.
 */
#ifndef GUARDIAN_H
#define GUARDIAN_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

struct harness;

enum guardian_end {
	GUARDIAN_EXITED,    /* the harness ended by itself */
	GUARDIAN_TIMED_OUT, /* the time was up first */
	GUARDIAN_STOPPED,   /* P had a signal, or was killed, or is_over() said so */
	GUARDIAN_LOST       /* G was killed */
};

struct guardian_outcome {
	enum guardian_end end;
	int status;     /* with GUARDIAN_EXITED: the harness' status as waitpid() has it */
	double elapsed; /* seconds from the start to that end; clean-up is not in it */
	bool settled;   /* what settle() said */
};

struct guardian_task {
	const struct harness *harness;
	int log;           /* descriptor for the harness' output */
	const char *mark;  /* in the harness' environment as PROCESS_MARK */
	const int *locks;  /* descriptors that G keeps open */
	size_t num_locks;
	double start;      /* of the time-out's clock: seconds of process_clock() */
	double timeout;    /* seconds; INFINITY: none */
	double grace;      /* seconds between TERM and KILL */
	bool (*is_over)(void *data); /* NULL, or asked by P some times a second: the harness need not go on */
	void *is_over_data;
	bool (*settle)(const struct guardian_outcome *outcome, void *data); /* after clean-up, in G, or in P without G */
	void *settle_data;
};

/*
 * Runs TASK to its end. INTERRUPTS is interrupt_open()'s descriptor; *SIGNAL becomes the first signal
 * that came from it, or 0. EX_OSERR if no process could be started. Returns 0 or -1.
 */
int guardian_run(const struct guardian_task *task, int interrupts, struct guardian_outcome *outcome, int *signal,
    struct error *e);

#endif
