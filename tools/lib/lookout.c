#include "lookout.h"

#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>

#include "file.h"
#include "follower.h"
#include "memory.h"
#include "timeline.h"
#include "trial.h"

struct lookout {
	const struct trial *trial;
	char *requests; /* the path of request_metrics.csv */
	struct follower *follower;
	bool is_blind;  /* the file cannot be read */
};

struct lookout *
lookout_new(const struct trial *t)
{
	struct lookout *l;

	if (t->early_stop == EARLY_STOP_OFF || !t->rules.given || !(t->planned >= 1))
		return NULL;
	l = memory_alloc(1, sizeof *l);
	l->trial = t;
	l->requests = trial_path(t, "request_metrics.csv");
	l->follower = follower_new(l->requests, &t->rules);
	return l;
}

void
lookout_free(struct lookout *l)
{
	if (!l)
		return;
	follower_free(l->follower);
	free(l->requests);
	free(l);
}

/* What the rows come to, if the others do not fail. */
static enum prospect_outcome
outcome_of(const struct trial *t, const struct follower *f)
{
	double num_rows = follower_num_rows(f), num_failed = follower_num_failed(f);

	if (num_rows < 1 || num_rows >= t->planned)
		return PROSPECT_OPEN;
	if (100 * num_failed > t->max_failed_pct * t->planned)
		return PROSPECT_FAILS;
	return follower_outcome(f, t->planned);
}

/*
 * Whether the requests with OUTCOME arrived too slowly so far. Under a load that is too high those still running are not
 * there, most of them late ones; so a fail goes by the earlier half of the requests.
 */
static bool
falls_short(const struct lookout *l, enum prospect_outcome outcome)
{
	double num_rows = follower_num_rows(l->follower);
	struct arrivals arrivals = *follower_arrivals(l->follower);

	if (outcome == PROSPECT_FAILS)
		arrivals = follower_earlier_arrivals(l->follower, &num_rows);
	return arrivals_fall_short(&arrivals, num_rows, l->trial->qps, l->trial->config);
}

enum verdict_passed
lookout_look(struct lookout *l)
{
	const struct trial *t = l->trial;
	struct error ignored = ERROR_NONE;
	enum prospect_outcome outcome;

	if (!l->is_blind && follower_look(l->follower, &ignored) < 0)
		l->is_blind = true;
	error_clear(&ignored);
	if (l->is_blind)
		return VERDICT_NONE;
	outcome = outcome_of(t, l->follower);
	if (outcome == PROSPECT_OPEN || (outcome == PROSPECT_PASSES && t->early_stop != EARLY_STOP_BOTH))
		return VERDICT_NONE;
	if (falls_short(l, outcome) || !follower_is_same_file(l->follower))
		return VERDICT_NONE;
	return outcome == PROSPECT_PASSES ? VERDICT_PASSED : VERDICT_FAILED;
}

double
lookout_num_requests(const struct lookout *l)
{
	return follower_num_rows(l->follower);
}

double
lookout_num_failed(const struct lookout *l)
{
	return follower_num_failed(l->follower);
}

/* Whether the file has the rows that were looked at, as far as their verdict tells: some harness may write it anew as it is ended. */
static bool
has_same_rows(const struct lookout *l)
{
	struct follower *again = follower_new(l->requests, &l->trial->rules);
	struct error ignored = ERROR_NONE;
	bool same = follower_look(again, &ignored) == 0 && follower_size(again) == follower_size(l->follower) &&
	    follower_num_rows(again) == follower_num_rows(l->follower) &&
	    follower_num_failed(again) == follower_num_failed(l->follower) &&
	    outcome_of(l->trial, again) == outcome_of(l->trial, l->follower);

	follower_free(again);
	error_clear(&ignored);
	return same;
}

/* Puts a worker_timeline.csv that cannot be read, as of a harness that was writing to it, out of the way. */
static int
set_timeline_aside(const struct trial *t, struct error *e)
{
	char *path = trial_path(t, "worker_timeline.csv"), *aside = trial_path(t, "worker_timeline.incomplete.csv");
	struct error ignored = ERROR_NONE;
	struct timeline *timeline = trial_has(t, "worker_timeline.csv") ? timeline_read(path, &ignored) : NULL;
	int status = 0;

	if (error_is_set(&ignored) && rename(path, aside) != 0)
		status = error_add_errno(e, EX_IOERR, path, "cannot rename");
	timeline_free(timeline);
	error_clear(&ignored);
	free(aside);
	free(path);
	return status;
}

int
lookout_cut_files(struct lookout *l, struct error *e)
{
	if (follower_is_same_file(l->follower) && file_cut(l->requests, follower_size(l->follower), e) < 0)
		return -1;
	if (!follower_is_same_file(l->follower) || !has_same_rows(l))
		return error_add(e, EX_DATAERR, l->requests, 0, "was written anew when its rows had decided the verdict and the "
		    "harness was ended; expected rows to be appended only (or search: early_stop: false)");
	return set_timeline_aside(l->trial, e);
}
