#include "overview.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "memory.h"
#include "rate.h"
#include "table.h"

static FILE *
open_text(char **text, size_t *size)
{
	FILE *f = open_memstream(text, size);

	if (!f)
		memory_exhausted();
	return f;
}

static void
close_text(FILE *f)
{
	if (fclose(f) != 0)
		memory_exhausted();
}

/* The rate of the last trial of a job, as text. */
static char *
last_rate(const struct summary *job, char text[RATE_TEXT_MAX])
{
	struct json_object *trace = summary_trace(job);
	size_t num = json_object_array_length(trace);

	rate_text(num > 0 ? json_get_number(json_object_array_get_idx(trace, num - 1), "qps", 0) : 0, text);
	json_object_put(trace);
	return text;
}

/* The keys of all jobs' metric values, in the order in which they come up, as an object without values. */
static struct json_object *
metric_keys(const struct results *results)
{
	struct json_object *keys = json_object_new_object();

	for (size_t i = 0; i < results->num; i++) {
		struct json_object *values = json_object_object_get(results->list[i].members, "best_metric_values");

		if (!json_object_is_type(values, json_type_object))
			continue;
		json_object_object_foreach(values, key, value) {
			(void)value;
			if (!json_object_object_get_ex(keys, key, NULL))
				json_object_object_add(keys, key, NULL);
		}
	}
	return keys;
}

/* Metrics that every harness gives in seconds. */
static bool
is_in_seconds(const char *key)
{
	static const char *const names[] = { "request_scheduling_delay", "ttft", "tpot", "request_e2e_time" };
	size_t n = strcspn(key, "@");

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i]) == n && strncmp(key, names[i], n) == 0)
			return true;
	return false;
}

static void
add_columns(struct table *t, struct json_object *keys)
{
	table_add_column(t, "job", TABLE_LEFT | TABLE_CUT_MIDDLE);
	table_add_column(t, "requests/s", TABLE_RIGHT);
	json_object_object_foreach(keys, key, value) {
		char *header = memory_format("%s%s", key, is_in_seconds(key) ? " (s)" : "");

		(void)value;
		table_add_column(t, header, TABLE_RIGHT | TABLE_CUT_HEADER);
		free(header);
	}
	table_add_column(t, "trials", TABLE_RIGHT);
	table_add_column(t, "note", TABLE_LEFT | TABLE_CUT_END);
}

/* What limited the answer or ended the search early; nothing where a failing rate bounds it. */
static void
print_limit(FILE *f, const struct summary *job, const char *separator)
{
	const char *limit = json_get_text(job->members, "limited_by", NULL), *end = json_get_text(job->members, "search_end", "");
	bool at_rate = strcmp(end, "timeout") == 0 || strcmp(end, "harness") == 0;
	char rate[RATE_TEXT_MAX];

	if (limit)
		fprintf(f, "%slimited by %s", separator, limit);
	else if (at_rate || strcmp(end, "max_iterations") == 0)
		fprintf(f, "%sended by %s", separator, end);
	else
		return;
	if (at_rate)
		fprintf(f, " at %s", last_rate(job, rate));
}

/* To be freed. */
static char *
note_of(const struct summary *job)
{
	const char *error = json_get_text(job->members, "error", NULL);
	bool simulated = json_get_bool(job->members, "simulated", false);
	const char *separator = simulated ? ", " : "";
	char *text;
	size_t size;
	FILE *f = open_text(&text, &size);

	if (simulated)
		fputs("simulated", f);
	if (error)
		fprintf(f, "%serror: %s", separator, error);
	else
		print_limit(f, job, separator);
	close_text(f);
	return text;
}

static void
add_row(struct table *t, const struct summary *job, struct json_object *keys, bool utf8)
{
	double capacity = json_get_number(job->members, "max_qps_under_sla", 0);
	struct json_object *values = json_object_object_get(job->members, "best_metric_values");
	const char *at_least = json_get_text(job->members, "limited_by", NULL) ? (utf8 ? "≥ " : ">= ") : "";
	char rate[RATE_TEXT_MAX], *cell = memory_format("%s%s", at_least, rate_text(capacity, rate));
	char number[32], *note = note_of(job);

	table_add_cell(t, json_get_text(job->members, "job_name", ""));
	table_add_cell(t, capacity > 0 ? cell : "-");
	json_object_object_foreach(keys, key, unused) {
		struct json_object *value = NULL;

		(void)unused;
		if (json_object_is_type(values, json_type_object))
			json_object_object_get_ex(values, key, &value);
		snprintf(number, sizeof number, "%.4g", value ? json_object_get_double(value) : 0);
		table_add_cell(t, value ? number : "-");
	}
	snprintf(number, sizeof number, "%.0f", json_get_number(job->members, "num_trials", 0));
	table_add_cell(t, number);
	table_add_cell(t, note);
	free(note);
	free(cell);
}

/* The entry of the lowest rate in a trace, NULL when that is empty; in *JUDGED whether there was an SLA. */
static struct json_object *
lowest_entry(struct json_object *trace, bool *judged)
{
	struct json_object *lowest = NULL;

	*judged = true;
	for (size_t i = 0; i < json_object_array_length(trace); i++) {
		struct json_object *entry = json_object_array_get_idx(trace, i);

		if (!lowest || json_get_number(entry, "qps", 0) < json_get_number(lowest, "qps", 0))
			lowest = entry;
		*judged &= json_object_object_get(entry, "passed") != NULL;
	}
	return lowest;
}

/* How a trial failed: its values, and its failed requests. */
static void
print_failure(FILE *f, struct json_object *entry)
{
	struct json_object *values = json_object_object_get(entry, "metric_values");
	double failed = json_get_number(entry, "num_failed", 0);
	const char *separator = " (";
	char rate[RATE_TEXT_MAX];

	fprintf(f, "%s requests/s", rate_text(json_get_number(entry, "qps", 0), rate));
	if (json_object_is_type(values, json_type_object)) {
		json_object_object_foreach(values, key, value) {
			fprintf(f, "%s%s ", separator, key);
			if (value)
				fprintf(f, "= %.4g", json_object_get_double(value));
			else
				fputs("has no finite value", f);
			separator = ", ";
		}
	}
	if (failed > 0) {
		fprintf(f, "%s%.0f of %.0f requests failed", separator, failed, json_get_number(entry, "num_requests", 0));
		separator = ", ";
	}
	if (strcmp(separator, ", ") == 0)
		fputc(')', f);
}

/* Why JOB, which has no error, has no answer. */
static void
print_reason(FILE *f, const struct summary *job)
{
	const char *end = json_get_text(job->members, "search_end", "");
	struct json_object *trace = summary_trace(job);
	bool judged;
	struct json_object *lowest = lowest_entry(trace, &judged);
	char rate[RATE_TEXT_MAX];

	if (!judged) {
		fputs("no SLA, so no answer; the trials are in the results", f);
	} else if (strcmp(end, "timeout") == 0) {
		fprintf(f, "timed out at %s requests/s before any rate passed", last_rate(job, rate));
	} else if (strcmp(end, "harness") == 0) {
		fprintf(f, "the harness could not offer %s requests/s, and no other rate passed", last_rate(job, rate));
	} else {
		fputs("nothing passes; the lowest rate tried: ", f);
		print_failure(f, lowest);
	}
	json_object_put(trace);
}

/* The lines after the table. */
static void
print_reasons(FILE *f, const struct results *results, bool utf8, bool errors_too)
{
	for (size_t i = 0; i < results->num; i++) {
		const struct summary *job = &results->list[i];
		const char *error = json_get_text(job->members, "error", NULL);
		char *text, *line;
		size_t size;
		FILE *one;

		if (error ? !errors_too : json_object_object_get(job->members, "max_qps_under_sla") != NULL)
			continue;
		one = open_text(&text, &size);
		fprintf(one, "%s: ", json_get_text(job->members, "job_name", ""));
		if (error)
			fprintf(one, "error: %s", error);
		else
			print_reason(one, job);
		close_text(one);
		line = table_harmless(text, utf8);
		fprintf(f, "%s\n", line);
		free(line);
		free(text);
	}
}

char *
overview_text(const struct results *results, bool utf8, size_t width)
{
	struct table *t = table_new(utf8);
	struct json_object *keys = metric_keys(results);
	char *text, *rows;
	size_t size;
	FILE *f = open_text(&text, &size);
	bool cut;

	add_columns(t, keys);
	for (size_t i = 0; i < results->num; i++)
		add_row(t, &results->list[i], keys, utf8);
	rows = table_text(t, width, &cut);
	fputs(rows, f);
	print_reasons(f, results, utf8, cut);
	close_text(f);
	free(rows);
	json_object_put(keys);
	table_free(t);
	return text;
}
