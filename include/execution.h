/* The run of a trial's harness, from a directory made ready to a result. */
#ifndef EXECUTION_H
#define EXECUTION_H

#include "claim.h"
#include "error.h"
#include "trial.h"
#include "trial_result.h"

struct execution {
	struct trial *trial;
	int lock;            /* descriptor of the lock of its directory, held */
	struct claim *claim; /* taken; given up when the last process of the trial has ended */
	int interrupts;      /* interrupt_open()'s descriptor */
	double grace;        /* seconds between TERM and KILL */
	int signal;          /* the one that ended the run; 0: none did */
	char *listeners;     /* what is in use after the trial, for people (to be freed); NULL: nothing */
};

/*
 * Makes the directory ready, runs the harness under guard (guardian.h), and fills R unless a signal ended it. A port
 * that something listens on before the harness starts is R's error: it would measure a stranger's server. Returns 0
 * or -1 with an error of the directory or of processes.
 */
int execution_run(struct execution *execution, struct trial_result *r, struct error *e);

#endif
