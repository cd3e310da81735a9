#include "summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "file.h"
#include "json.h"
#include "memory.h"
#include "trail.h"
#include "trials_mk.h"
#include "utf8.h"

/* A copy of RESULT's metric values, with null for what is not finite. */
static struct json_object *
metric_values_of(struct json_object *result)
{
	struct json_object *values = json_object_object_get(result, "metric_values");
	struct json_object *copy = json_object_new_object();

	if (!json_object_is_type(values, json_type_object))
		return copy;
	json_object_object_foreach(values, key, value) {
		if (json_object_is_type(value, json_type_double))
			json_object_object_add(copy, key, json_number(json_object_get_double(value)));
		else
			json_object_object_add(copy, key, json_object_get(value));
	}
	return copy;
}

static struct json_object *
trace_entry(const struct trail_trial *trial, const struct verdict *v)
{
	struct json_object *entry = json_object_new_object(), *result = trial->result;

	json_object_object_add(entry, "qps", json_number(v->qps));
	json_object_object_add(entry, "passed",
	    v->passed == VERDICT_NONE ? NULL : json_object_new_boolean(v->passed == VERDICT_PASSED));
	json_object_object_add(entry, "metric_values", metric_values_of(result));
	json_object_object_add(entry, "run_dir", json_object_new_string(trial->run_dir));
	json_object_object_add(entry, "cached", json_object_new_boolean(json_get_bool(result, "cached", false)));
	json_object_object_add(entry, "timed_out", json_object_new_boolean(v->timed_out));
	json_object_object_add(entry, "limited_by", json_text_or_null(json_get_text(result, "limited_by", NULL)));
	json_object_object_add(entry, "num_requests", json_object_get(json_object_object_get(result, "num_requests")));
	json_object_object_add(entry, "num_failed", json_object_get(json_object_object_get(result, "num_failed")));
	if (json_get_bool(result, "stopped_early", false)) {
		json_object_object_add(entry, "stopped_early", json_object_new_boolean(true));
		json_object_object_add(entry, "num_requests_decided",
		    json_object_get(json_object_object_get(result, "num_requests_decided")));
	}
	return entry;
}

/* What ended the search, in a word; the same words say what limits an answer that no failing rate bounds. */
static const char *
end_text(const struct search_trace *trace)
{
	switch (trace->end) {
	case SEARCH_CONVERGED:
		return "converged";
	case SEARCH_LIST_DONE:
		return "qps_list";
	case SEARCH_AT_CAP:
		return "max_qps_cap";
	case SEARCH_OUT_OF_TRIALS:
		return "max_iterations";
	case SEARCH_TIMED_OUT:
		return "timeout";
	case SEARCH_LIMITED:
		return "harness";
	default:
		return "error";
	}
}

/* Whether something other than an SLA that fails at a higher rate bounds the answer. */
static bool
is_limited(const struct search_trace *trace)
{
	bool judged = false;

	for (size_t i = 0; i < trace->num; i++) {
		const struct verdict *v = trace->entries[i];

		judged |= v->passed != VERDICT_NONE;
		if (v->passed == VERDICT_FAILED && !v->timed_out && !v->limited && v->qps > trace->best_qps)
			return false;
	}
	return judged;
}

/* The members that every job's result has, in their order; takes BEST_VALUES and TRACE over. */
static struct json_object *
summary_new(const char *job_name_text, const char *job_key, double best_qps, struct json_object *best_values,
    struct json_object *trace, const char *error)
{
	struct json_object *summary = json_object_new_object();

	json_object_object_add(summary, "job_name", json_object_new_string(job_name_text));
	json_object_object_add(summary, "job_key", json_object_new_string(job_key));
	json_object_object_add(summary, "max_qps_under_sla", best_qps > 0 ? json_number(best_qps) : NULL);
	json_object_object_add(summary, "best_metric_values", best_values);
	json_object_object_add(summary, "num_trials", json_object_new_int64((int64_t)json_object_array_length(trace)));
	json_object_object_add(summary, "search_trace", trace);
	json_object_object_add(summary, "error", json_text_or_null(error));
	return summary;
}

static void
summary_add_end(struct json_object *summary, struct json_object *harness, const char *limited_by, const char *end,
    long num_speculative)
{
	const char *name = json_object_is_type(harness, json_type_string) ? json_object_get_string(harness) : "";

	json_object_object_add(summary, "harness", json_object_get(harness));
	json_object_object_add(summary, "simulated", json_object_new_boolean(strcmp(name, "sim") == 0));
	json_object_object_add(summary, "limited_by", json_text_or_null(limited_by));
	json_object_object_add(summary, "search_end", json_object_new_string(end));
	json_object_object_add(summary, "num_speculative", json_object_new_int64(num_speculative));
}

/* What harnesses had to say of the trials: the first note there is; NULL: none. */
static const char *
note_of(const struct trail *t)
{
	const char *note = NULL;

	for (size_t i = 0; i < t->trace.num && !note; i++)
		note = json_get_text(trail_trial(t, i)->result, "note", NULL);
	return note;
}

/* How many of the trials were stopped early. */
static long
num_stopped(const struct trail *t)
{
	long num = 0;

	for (size_t i = 0; i < t->trace.num; i++)
		num += json_get_bool(trail_trial(t, i)->result, "stopped_early", false);
	return num;
}

/* How many of NUM_RESULTS trials the search did not come to; one with an error of its own it did. */
static long
num_beside(const struct trail *t, long num_results)
{
	long num = (long)t->num + (t->error && t->error_is_own);

	return num_results > num ? num_results - num : 0;
}

static struct json_object *
summary_of(const struct job *job, const struct trail *t, const char *error, long num_results)
{
	struct json_object *trace = json_object_new_array(), *best_values = NULL, *summary;
	double best_qps = error ? 0 : t->trace.best_qps;
	bool limited = !error && is_limited(&t->trace);

	for (size_t i = 0; i < t->trace.num; i++) {
		const struct verdict *v = t->trace.entries[i];

		json_object_array_add(trace, trace_entry(trail_trial(t, i), v));
		if (!best_values && best_qps > 0 && v->qps == best_qps && v->passed == VERDICT_PASSED)
			best_values = metric_values_of(trail_trial(t, i)->result);
	}
	summary = summary_new(job_name(job), json_get_text(job->json, "job_key", ""), best_qps,
	    best_values ? best_values : json_object_new_object(), trace, error);
	summary_add_end(summary, json_object_object_get(job->json, "harness"),
	    limited ? end_text(&t->trace) : NULL, error ? "error" : end_text(&t->trace),
	    num_beside(t, num_results));
	if (num_stopped(t) > 0)
		json_object_object_add(summary, "num_stopped_early", json_object_new_int64(num_stopped(t)));
	if (note_of(t))
		json_object_object_add(summary, "note", json_object_new_string(note_of(t)));
	return summary;
}

/* The latest mtime of what the summary rests on. */
static struct timespec
latest_mtime(const struct job *job, const struct trail *t)
{
	struct timespec latest = { 0, 0 };
	char *job_file = memory_format("%s/job.json", job->directory);
	char *rules_file = memory_format("%s/sla.json", job->output_dir);

	file_latest_mtime(job_file, &latest);
	file_latest_mtime(rules_file, &latest);
	for (size_t i = 0; i < t->trace.num; i++)
		file_latest_mtime(trail_trial(t, i)->benchmark_results, &latest);
	free(rules_file);
	free(job_file);
	return latest;
}

/* Makes the two results files of the output directory older than any summary. */
static int
make_results_old(const struct job *job, struct error *e)
{
	char *json = memory_format("%s/capacity_search_results.json", job->output_dir);
	char *csv = memory_format("%s/capacity_search_results.csv", job->output_dir);
	int status = file_make_old(json, e) < 0 || file_make_old(csv, e) < 0 ? -1 : 0;

	free(csv);
	free(json);
	return status;
}

/*
 * Publishes both files so that make is right after a crash at any point, whatever the clock did: what
 * is about to be replaced and what is made of it are made old first, so that they are still remade.
 */
static int
publish(const struct job *job, const char *summary, const char *mk, struct timespec mtime, struct error *e)
{
	char *summary_path = memory_format("%s/" SUMMARY_FILE, job->directory);
	char *mk_path = memory_format("%s/trials.mk", job->directory);
	int status = 0;

	if (!file_equals(summary_path, summary, strlen(summary)))
		status = file_make_old(summary_path, e) < 0 ? -1 : make_results_old(job, e);
	if (status == 0 && file_update(mk_path, mk, strlen(mk), e) < 0)
		status = -1;
	if (status == 0 && file_update_at(summary_path, summary, strlen(summary), mtime, e) < 0)
		status = -1;
	free(mk_path);
	free(summary_path);
	return status;
}

int
summary_write(const struct job *job, const char *error_text, long num_results, struct error *e)
{
	char *given = error_text ? utf8_clean(error_text) : NULL, *bytes, *mk;
	const char *error;
	struct json_object *summary;
	struct trail trail;
	int status;

	if (!trials_mk_is_safe(job)) {
		free(given);
		return error_add(e, EX_DATAERR, job->directory, 0,
		    "'%s' is no name for a job's directory; expected letters, digits, _ and -", job->directory_name);
	}
	trail_follow(job, &trail);
	error = trail.error && (trail.error_is_own || !given) ? trail.error : given;
	summary = summary_of(job, &trail, error, num_results);
	bytes = json_pretty(summary);
	mk = trials_mk_text(job, &trail, error != NULL);
	status = publish(job, bytes, mk, latest_mtime(job, &trail), e);
	free(mk);
	free(bytes);
	json_object_put(summary);
	trail_free(&trail);
	free(given);
	return status;
}

/* Parses TEXT with [] in the place of the trace. */
static struct json_object *
parse_without_trace(const struct jsontext *text, const struct jsontext *trace, const char *path, struct error *e)
{
	size_t before = (size_t)(trace->start - text->start), after = text->size - before - trace->size;
	char *shorter = memory_format("%.*s[]%.*s", (int)before, text->start, (int)after, trace->start + trace->size);
	struct json_object *members = json_parse(shorter, before + 2 + after, path, 1, e);

	free(shorter);
	return members;
}

int
summary_read(const char *path, struct summary *s, struct error *e)
{
	size_t size;

	memset(s, 0, sizeof *s);
	s->bytes = file_read(path, &size, e);
	if (!s->bytes)
		return -1;
	if (!jsontext_object(s->bytes, size, "search_trace", &s->text, &s->trace))
		json_object_put(json_parse(s->bytes, size, path, 1, e)); /* to say where the fault is */
	else if (s->trace.start && *s->trace.start == '[')
		s->members = parse_without_trace(&s->text, &s->trace, path, e);
	if (s->members && json_get_text(s->members, "job_name", NULL))
		return 0;
	if (!error_is_set(e))
		error_add(e, EX_DATAERR, path, 1, "expected a job's summary: an object with job_name and search_trace");
	summary_free(s);
	return -1;
}

void
summary_missing(const char *name, const char *key, struct json_object *harness, const char *why, struct summary *s)
{
	s->members = summary_new(name, key, 0, json_object_new_object(), json_object_new_array(), why);
	summary_add_end(s->members, harness, NULL, "error", 0);
	s->bytes = json_pretty(s->members);
	jsontext_object(s->bytes, strlen(s->bytes), "search_trace", &s->text, &s->trace);
}

struct json_object *
summary_trace(const struct summary *s)
{
	struct error ignored = ERROR_NONE;
	struct json_object *trace = json_parse(s->trace.start, s->trace.size, NULL, 0, &ignored);

	error_clear(&ignored);
	return trace ? trace : json_object_new_array();
}

void
summary_free(struct summary *s)
{
	free(s->bytes);
	json_object_put(s->members);
	memset(s, 0, sizeof *s);
}
