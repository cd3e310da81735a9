/*
 * What a trial waits for before it begins, without a job slot of make's meanwhile: first the lock of its directory, then
 * the locks of what it uses. An interrupt ends the wait at once.
 */
#ifndef ADMISSION_H
#define ADMISSION_H

#include <stdbool.h>

#include "claim.h"
#include "error.h"
#include "jobserver.h"
#include "trial.h"

struct admission {
	const struct trial *trial;
	struct claim claim;
	struct jobserver *jobserver;
	int interrupts;                /* interrupt_open()'s descriptor */
	bool is_patient;               /* waits; else it gives up where it would have to, without an error */
	int signal;                    /* the one that ended the wait; 0: none did */
	void (*tell)(const char *text); /* is told, once for each of the two, what is waited for and who holds it */
};

/* Makes the trial's directory and takes its lock: the descriptor, or -1 after an error, a signal, or impatience. */
int admission_lock_directory(struct admission *admission, struct error *e);

/* Takes the claim. Returns 0, or -1 after an error, a signal, or impatience. */
int admission_take_claim(struct admission *admission, struct error *e);

#endif
