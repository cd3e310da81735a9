#include "session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "admission.h"
#include "assessment.h"
#include "claim.h"
#include "execution.h"
#include "file.h"
#include "interrupt.h"
#include "trial.h"
#include "trial_result.h"

/* Takes what the trial uses and runs it; R is filled unless a signal came. */
static void
take_and_run(struct session *s, struct trial *t, int lock, struct admission *a, struct trial_result *r, struct error *e)
{
	struct execution x = { .trial = t, .lock = lock, .claim = &a->claim, .interrupts = a->interrupts, .grace = s->grace };

	claim_init(&t->demand, &t->pool, &a->claim);
	for (size_t i = 0; i < s->num_locks; i++)
		claim_add(&a->claim, s->locks[i]);
	if (admission_take_claim(a, e) == 0 && a->signal == 0) {
		trial_assign(t, &a->claim);
		execution_run(&x, r, e);
		a->signal = x.signal;
		s->listeners = x.listeners;
	}
	claim_free(&a->claim);
}

static void
record(const struct trial *t, const struct trial_result *r, struct error *e)
{
	char *path = trial_path(t, "trial_result.json"), *line = trial_result_line(r);

	file_update(path, line, strlen(line), e);
	free(line);
	free(path);
}

int
session_run(struct session *s, struct trial *t, struct trial_result *r, struct error *e)
{
	struct admission admission = { .trial = t, .jobserver = s->jobserver, .interrupts = interrupt_open(),
		.tell = s->tell, .is_patient = s->is_patient };
	int lock = admission_lock_directory(&admission, e);

	s->listeners = NULL;
	trial_result_init(r);
	if (lock >= 0 && admission.signal == 0 && !assessment_of_cache(t, r)) {
		trial_result_free(r);
		take_and_run(s, t, lock, &admission, r, e);
	}
	if (!error_is_set(e) && r->run_dir)
		record(t, r, e);
	if (lock >= 0)
		close(lock);
	close(admission.interrupts);
	s->signal = admission.signal;
	return error_is_set(e) ? -1 : 0;
}
