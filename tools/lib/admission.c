#include "admission.h"

#include <stdlib.h>
#include <string.h>

#include "interrupt.h"
#include "lock.h"
#include "memory.h"

enum { PAUSE = 20 }; /* milliseconds between two looks */

/* Lets others have our job slot for a moment; false if a signal came. */
static bool
pause_without_slot(struct admission *a)
{
	jobserver_give(a->jobserver);
	a->signal = interrupt_wait(a->interrupts, PAUSE);
	return a->signal == 0;
}

int
admission_lock_directory(struct admission *a, struct error *e)
{
	bool told = false;
	int lock;

	for (;;) {
		if (trial_make_directory(a->trial, e) < 0)
			return -1;
		lock = lock_try(a->trial->lock_path, e);
		if (lock >= 0 || error_is_set(e))
			break;
		if (!a->is_patient)
			return -1;
		if (!told)
			a->tell("waiting for another cs-trial, which uses this directory");
		told = true;
		if (!pause_without_slot(a))
			return -1;
	}
	while (lock >= 0 && !jobserver_take(a->jobserver) && pause_without_slot(a))
		continue;
	return lock;
}

/* Shows in the trial's directory that it waits for WHAT, if *SHOWN (owned by the caller) is not that yet. */
static int
show(const struct admission *a, const char *what, char **shown, struct error *e)
{
	if (!what || (*shown && strcmp(*shown, what) == 0))
		return 0;
	free(*shown);
	*shown = memory_string(what);
	return trial_show_waiting(a->trial, what, e);
}

static void
tell_of(const struct admission *a)
{
	const char *holder = a->claim.holder;
	char *text = memory_format("waiting for %s%s%s", a->claim.waiting_for, holder ? ", held by " : "", holder ? holder : "");

	a->tell(text);
	free(text);
}

/* Waits for the locks, then for a job slot. */
static int
wait_for_all(struct admission *a, char **shown, struct error *e)
{
	enum claim_state state;

	while ((state = claim_try(&a->claim, e)) == CLAIM_WAITING) {
		if (!a->is_patient)
			return -1;
		if (a->claim.waiting_for && !*shown)
			tell_of(a);
		if (show(a, a->claim.waiting_for, shown, e) < 0 || !pause_without_slot(a))
			return -1;
	}
	if (state == CLAIM_FAILED)
		return -1;
	while (!jobserver_take(a->jobserver))
		if (show(a, "a job slot", shown, e) < 0 || !pause_without_slot(a))
			return -1;
	return 0;
}

int
admission_take_claim(struct admission *a, struct error *e)
{
	char *shown = NULL;
	int status = wait_for_all(a, &shown, e);
	struct error also = ERROR_NONE;

	if (shown && trial_show_waiting(a->trial, NULL, status == 0 ? e : &also) < 0)
		status = -1;
	error_clear(&also);
	free(shown);
	return status;
}
