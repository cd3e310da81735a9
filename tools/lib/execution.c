#include "execution.h"

#include <math.h>
#include <stdlib.h>
#include <sysexits.h>
#include <unistd.h>

#include "assessment.h"
#include "guardian.h"
#include "lock.h"
#include "lookout.h"
#include "memory.h"
#include "process.h"

static bool
settle(const struct guardian_outcome *outcome, void *data)
{
	const struct execution *x = data;

	claim_clear_marks(x->claim);
	return trial_settle(x->trial, x->lock, outcome);
}

static bool
is_decided(void *lookout)
{
	return lookout_look(lookout) != VERDICT_NONE;
}

/* Runs the harness under guard, lock and claim held. */
static int
guard(struct execution *x, struct guardian_task *task, struct guardian_outcome *outcome, struct error *e)
{
	size_t num;
	int *descriptors = claim_descriptors(x->claim, &num), status;

	descriptors = memory_resize(descriptors, num + 1, sizeof *descriptors);
	descriptors[num] = x->lock;
	task->locks = descriptors;
	task->num_locks = num + 1;
	task->settle = settle;
	task->settle_data = x;
	status = guardian_run(task, x->interrupts, outcome, &x->signal, e);
	free(descriptors);
	return status;
}

static int
refuse(const struct execution *x, const char *listeners, struct trial_result *r)
{
	claim_clear_marks(x->claim);
	lock_clear_mark(x->lock);
	assessment_of_refusal(x->trial, listeners, r);
	return 0;
}

static int
run_harness(struct execution *x, struct guardian_task *task, struct trial_result *r, struct error *e)
{
	struct lookout *lookout = lookout_new(x->trial);
	struct guardian_outcome outcome;
	int status;

	task->is_over = lookout ? is_decided : NULL;
	task->is_over_data = lookout;
	status = guard(x, task, &outcome, e);
	x->listeners = status == 0 ? claim_listeners(x->claim) : NULL;
	claim_free(x->claim);
	if (status == 0 && !outcome.settled)
		status = error_add(e, EX_IOERR, x->trial->directory, 0, "the results of an ended trial cannot be moved aside");
	else if (status == 0 && outcome.end != GUARDIAN_STOPPED)
		status = assessment_of_run(x->trial, &outcome, r, e);
	else if (status == 0 && x->signal == 0)
		status = assessment_of_stop(x->trial, lookout, &outcome, r, e);
	lookout_free(lookout);
	return status;
}

int
execution_run(struct execution *x, struct trial_result *r, struct error *e)
{
	char mark[LOCK_MARK_MAX], *listeners;
	struct guardian_task task = { .harness = &x->trial->harness, .mark = mark, .start = process_clock(),
		.timeout = x->trial->timeout, .grace = x->grace };
	int status;

	x->signal = 0;
	x->listeners = NULL;
	lock_new_mark(mark);
	trial_result_start_now(r);
	if (claim_mark(x->claim, mark, e) < 0 || (task.log = trial_prepare(x->trial, x->lock, mark, e)) < 0)
		return -1;
	listeners = claim_listeners(x->claim);
	status = listeners ? refuse(x, listeners, r) : run_harness(x, &task, r, e);
	close(task.log);
	free(listeners);
	return status;
}
