#include "assessment.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "arrival.h"
#include "file.h"
#include "json.h"
#include "lock.h"
#include "log.h"
#include "lookout.h"
#include "memory.h"
#include "sla.h"
#include "trial_config.h"

static const char results_name[] = "benchmark_results.json", requests_name[] = "request_metrics.csv";

/* Moves the messages of E to R's error, on one line. */
static void
take_error(struct trial_result *r, struct error *e)
{
	char *text = memory_string("");

	for (const char *p = e->text; *p;) {
		size_t n = strcspn(p, "\n");
		char *longer = memory_format("%s%s%.*s", text, *text ? "; " : "", (int)n, p);

		free(text);
		text = longer;
		p += n + (p[n] == '\n');
	}
	free(r->error);
	r->error = text;
	error_clear(e);
}

/* Sets R's error to WHAT, with what the harness last said. */
static void
fail(const struct trial *t, struct trial_result *r, const char *what)
{
	char *tail = log_tail(t->directory);

	free(r->error);
	r->error = memory_format("%s%s%s", what, *tail ? "; last lines of its log: " : "; its log is empty", tail);
	free(tail);
}

/* Whether no file tells of requests, so that a command's status is all there is. */
static bool
is_without_data(const struct trial *t)
{
	return !trial_has(t, requests_name) && !trial_has(t, results_name);
}

/* Evaluates the files: under the trial's rules if those can be judged, else without, R's error saying why. */
static int
evaluate(const struct trial *t, struct trial_result *r, struct sla_result *data)
{
	const struct rules none = { NULL, 0, false };
	struct error e = ERROR_NONE;

	if (sla_evaluate(t->directory, &t->rules, t->planned, true, data, &e) == 0)
		return 0;
	take_error(r, &e);
	if (sla_evaluate(t->directory, &none, t->planned, true, data, &e) == 0)
		return 0;
	error_clear(&e);
	return -1;
}

/* The verdict on the requests that decided it. VERDICT_NONE: under the rules of today they do not, and the trial is not complete. */
static enum verdict_passed
verdict_of_stopped(const struct trial *t)
{
	struct lookout *lookout = lookout_new(t);
	enum verdict_passed passed = lookout ? lookout_look(lookout) : VERDICT_NONE;

	lookout_free(lookout);
	return passed;
}

/* The verdict on DATA; takes its values over. */
static void
judge(const struct trial *t, struct trial_result *r, struct sla_result *data)
{
	double num_requests = data->is_stopped ? t->planned : data->num_requests;
	double succeeded = data->num_requests - data->num_failed;
	bool too_many_failed = succeeded < 1 || 100 * data->num_failed > t->max_failed_pct * num_requests;
	enum verdict_passed passed = data->is_stopped ? verdict_of_stopped(t) : data->passed;

	r->counted = true;
	r->num_requests = num_requests;
	r->num_failed = data->num_failed;
	r->num_decided = data->is_stopped ? data->num_rows : 0;
	r->complete = succeeded >= 1 && (!too_many_failed || t->keep_failed) && !(data->is_stopped && passed == VERDICT_NONE);
	r->offered_qps = arrivals_rate(&data->arrivals, data->num_rows);
	free(r->note);
	r->note = data->note;
	data->note = NULL;
	if (!t->rules.given || r->error)
		return;
	r->limited = data->is_limited || (!data->is_stopped &&
	    arrivals_fall_short(&data->arrivals, data->num_rows, r->qps, t->config));
	r->passed = passed == VERDICT_PASSED && !too_many_failed && !r->limited ? VERDICT_PASSED : VERDICT_FAILED;
	r->metric_values = json_object_get(data->metric_values);
}

static void
begin(const struct trial *t, struct trial_result *r)
{
	r->qps = t->qps;
	free(r->run_dir);
	r->run_dir = memory_string(t->run_dir);
}

/* Whether the directory was left by a whole try with the config that one would get now. */
static bool
is_of_same_config(const struct trial *t)
{
	char *config = trial_path(t, "trial_config.json"), mark[LOCK_MARK_MAX];
	bool same = trial_has(t, "trial_config.json") ? trial_config_matches(config, t->config)
	    : t->of_job && trial_has(t, requests_name) && trial_has(t, "worker_timeline.csv"); /* sangam's own */

	free(config);
	return same && !lock_has_mark(t->lock_path, mark);
}

bool
assessment_of_cache(const struct trial *t, struct trial_result *r)
{
	char *path = trial_path(t, "trial_result.json");
	struct sla_result data;
	bool was_complete;

	begin(t, r);
	r->cached = true;
	trial_result_recall(r, path);
	free(path);
	was_complete = r->complete;
	r->complete = false;
	if (!is_of_same_config(t))
		return false;
	if (!t->of_job && is_without_data(t)) {
		r->complete = was_complete;
	} else if (trial_has(t, results_name) && evaluate(t, r, &data) == 0) {
		judge(t, r, &data);
		sla_result_free(&data);
	}
	if (r->complete && r->harness_status < 0 && r->num_decided == 0)
		r->harness_status = 0; /* or there would be no benchmark_results.json */
	return r->complete;
}

/* Publishes {"summary": {"num_successful": N, "num_failed": M}}, and in it "stopped_early": true where that is so. */
static int
publish_counts(const struct trial *t, double num_requests, double num_failed, bool is_stopped, struct error *e)
{
	struct json_object *summary = json_object_new_object(), *results = json_object_new_object();
	char *path = trial_path(t, results_name), *text;
	int status;

	json_object_object_add(summary, "num_successful", json_object_new_int64((int64_t)(num_requests - num_failed)));
	json_object_object_add(summary, "num_failed", json_object_new_int64((int64_t)num_failed));
	if (is_stopped)
		json_object_object_add(summary, "stopped_early", json_object_new_boolean(true));
	json_object_object_add(results, "summary", summary);
	text = json_line(results);
	status = file_publish(path, text, strlen(text), e);
	json_object_put(results);
	free(text);
	free(path);
	return status;
}

/* After the harness exited 0. */
static int
assess_files(const struct trial *t, struct trial_result *r, struct error *e)
{
	struct sla_result data;
	int status = 0;

	if (is_without_data(t)) {
		if (t->of_job)
			fail(t, r, "harness exited with status 0 and left no request_metrics.csv");
		r->complete = !t->of_job;
		return 0;
	}
	if (evaluate(t, r, &data) < 0)
		return 0;
	if (data.num_requests < 1 || (data.num_rows < 1 && !data.has_results)) {
		fail(t, r, "harness exited with status 0 and recorded no request");
	} else {
		judge(t, r, &data);
		if (!data.has_results)
			status = publish_counts(t, r->num_requests, r->num_failed, false, e);
	}
	sla_result_free(&data);
	return status;
}

int
assessment_of_run(const struct trial *t, const struct guardian_outcome *outcome, struct trial_result *r, struct error *e)
{
	int status = WIFEXITED(outcome->status) ? WEXITSTATUS(outcome->status) : 128 + WTERMSIG(outcome->status);
	char *what = NULL;

	begin(t, r);
	r->elapsed = outcome->elapsed;
	if (outcome->end == GUARDIAN_LOST) {
		fail(t, r, "the process that guarded the harness was killed");
		return 0;
	}
	r->harness_status = outcome->end == GUARDIAN_EXITED ? status : -1;
	r->timed_out = outcome->end == GUARDIAN_TIMED_OUT || status == 2;
	if (r->timed_out) {
		r->passed = VERDICT_FAILED;
		return 0;
	}
	if (outcome->status == 0)
		return assess_files(t, r, e);
	if (WIFSIGNALED(outcome->status))
		what = memory_format("harness was ended by SIG%s", sigabbrev_np(WTERMSIG(outcome->status)) ?
		    sigabbrev_np(WTERMSIG(outcome->status)) : "RT");
	else
		what = memory_format("harness exited with status %d", status);
	fail(t, r, what);
	free(what);
	return 0;
}

int
assessment_of_stop(const struct trial *t, struct lookout *lookout, const struct guardian_outcome *outcome,
    struct trial_result *r, struct error *e)
{
	struct error own = ERROR_NONE;
	struct sla_result data;

	begin(t, r);
	r->elapsed = outcome->elapsed;
	if (lookout_cut_files(lookout, &own) < 0) {
		take_error(r, &own);
		return 0;
	}
	if (publish_counts(t, lookout_num_requests(lookout), lookout_num_failed(lookout), true, e) < 0)
		return -1;
	if (evaluate(t, r, &data) == 0) {
		judge(t, r, &data);
		sla_result_free(&data);
	}
	return 0;
}

void
assessment_of_refusal(const struct trial *t, const char *listeners, struct trial_result *r)
{
	begin(t, r);
	free(r->error);
	r->error = memory_format("not begun, for others listen on its ports: %s", listeners);
}
