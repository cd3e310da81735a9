#include "trial_result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "json.h"
#include "memory.h"
#include "rate.h"

void
trial_result_init(struct trial_result *r)
{
	memset(r, 0, sizeof *r);
	r->passed = VERDICT_NONE;
	r->harness_status = -1;
	r->elapsed = NAN;
}

void
trial_result_free(struct trial_result *r)
{
	json_object_put(r->metric_values);
	free(r->run_dir);
	free(r->error);
	free(r->note);
	free(r->started_at);
	trial_result_init(r);
}

void
trial_result_start_now(struct trial_result *r)
{
	time_t now = time(NULL);
	struct tm utc;

	gmtime_r(&now, &utc);
	free(r->started_at);
	r->started_at = memory_format("%04d-%02d-%02dT%02d:%02d:%02dZ", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
	    utc.tm_hour, utc.tm_min, utc.tm_sec);
}

void
trial_result_recall(struct trial_result *r, const char *path)
{
	struct error ignored = ERROR_NONE;
	struct json_object *there = json_read(path, &ignored);
	const char *started;

	r->complete = false;
	error_clear(&ignored);
	if (json_object_is_type(there, json_type_object)) {
		r->complete = json_get_bool(there, "complete", false);
		r->harness_status = (int)json_get_number(there, "harness_status", r->harness_status);
		r->elapsed = json_get_number(there, "elapsed_s", r->elapsed);
		started = json_get_text(there, "started_at", NULL);
		if (started) {
			free(r->started_at);
			r->started_at = memory_string(started);
		}
	}
	json_object_put(there);
}

static struct json_object *
passed_to_json(enum verdict_passed passed)
{
	return passed == VERDICT_NONE ? NULL : json_object_new_boolean(passed == VERDICT_PASSED);
}

char *
trial_result_line(const struct trial_result *r)
{
	struct json_object *o = json_object_new_object();
	char *line;

	json_object_object_add(o, "qps", r->qps > 0 ? json_number(r->qps) : NULL);
	json_object_object_add(o, "passed", passed_to_json(r->passed));
	json_object_object_add(o, "metric_values", r->metric_values ? json_object_get(r->metric_values)
	    : json_object_new_object());
	json_object_object_add(o, "run_dir", json_text_or_null(r->run_dir));
	json_object_object_add(o, "cached", json_object_new_boolean(r->cached));
	json_object_object_add(o, "timed_out", json_object_new_boolean(r->timed_out));
	json_object_object_add(o, "limited_by", json_text_or_null(r->limited ? "harness" : NULL));
	json_object_object_add(o, "error", json_text_or_null(r->error));
	json_object_object_add(o, "complete", json_object_new_boolean(r->complete));
	json_object_object_add(o, "num_requests", r->counted ? json_object_new_int64((int64_t)r->num_requests) : NULL);
	json_object_object_add(o, "num_failed", r->counted ? json_object_new_int64((int64_t)r->num_failed) : NULL);
	json_object_object_add(o, "offered_qps", r->offered_qps > 0 ? json_number(r->offered_qps) : NULL);
	json_object_object_add(o, "harness_status", r->harness_status >= 0 ? json_object_new_int(r->harness_status) : NULL);
	json_object_object_add(o, "started_at", json_text_or_null(r->started_at));
	json_object_object_add(o, "elapsed_s", json_number(round(r->elapsed * 1000) / 1000));
	if (r->num_decided > 0) {
		json_object_object_add(o, "stopped_early", json_object_new_boolean(true));
		json_object_object_add(o, "num_requests_decided", json_object_new_int64((int64_t)r->num_decided));
	}
	if (r->note)
		json_object_object_add(o, "note", json_object_new_string(r->note));
	line = json_line(o);
	json_object_put(o);
	return line;
}

static void
print_values(FILE *f, struct json_object *values)
{
	if (!values)
		return;
	json_object_object_foreach(values, key, value) {
		if (value)
			fprintf(f, ", %s = %.4g", key, json_object_get_double(value));
		else
			fprintf(f, ", %s has no value", key);
	}
}

static void
print_verdict(FILE *f, const struct trial_result *r, double timeout)
{
	if (r->error) {
		fprintf(f, "%s error: %s", r->qps > 0 ? ":" : "", r->error);
	} else if (r->timed_out && r->harness_status < 0) {
		fprintf(f, " timed out after %.6g s", timeout);
	} else if (r->timed_out) {
		fprintf(f, " timed out: the harness exited with status %d", r->harness_status);
	} else {
		fputs(r->passed == VERDICT_NONE ? " done" : r->passed == VERDICT_PASSED ? " passed" : " failed", f);
		if (r->num_failed > 0)
			fprintf(f, ", %.0f of %.0f requests failed", r->num_failed, r->num_requests);
		if (r->num_decided > 0)
			fprintf(f, ", decided by %.0f of %.0f requests", r->num_decided, r->num_requests);
		if (r->limited)
			fprintf(f, ", the harness offered only %.5g qps", r->offered_qps);
		print_values(f, r->metric_values);
	}
}

char *
trial_result_summary(const struct trial_result *r, const char *title, double timeout, const char *note)
{
	char *text, qps[RATE_TEXT_MAX];
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		memory_exhausted();
	fprintf(f, "%s:", title);
	if (r->qps > 0)
		fprintf(f, " %s qps", rate_text(r->qps, qps));
	print_verdict(f, r, timeout);
	if (r->cached)
		fprintf(f, " (cached%s%s)", note ? "; " : "", note ? note : "");
	else if (!r->error && !r->timed_out)
		fprintf(f, " (%.1f s)", r->elapsed);
	if (fclose(f) != 0)
		memory_exhausted();
	return text;
}
