#include "overview.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explanation.h"
#include "json.h"
#include "memory.h"
#include "metric.h"
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

static void
add_columns(struct table *t, struct json_object *keys)
{
	table_add_column(t, "job", TABLE_LEFT | TABLE_CUT_MIDDLE);
	table_add_column(t, "requests/s", TABLE_RIGHT);
	json_object_object_foreach(keys, key, value) {
		char *header = memory_format("%s%s", key, strcmp(metric_unit(key), "s") == 0 ? " (s)" : "");

		(void)value;
		table_add_column(t, header, TABLE_RIGHT | TABLE_CUT_HEADER);
		free(header);
	}
	table_add_column(t, "trials", TABLE_RIGHT);
	table_add_column(t, "note", TABLE_LEFT | TABLE_CUT_END);
}

/* To be freed. */
static char *
note_of(const struct summary *job)
{
	const char *error = json_get_text(job->members, "error", NULL);
	const char *simulated = json_get_bool(job->members, "simulated", false) ? "simulated" : NULL;
	const char *note = json_get_text(job->members, "note", simulated), *separator = note ? ", " : "";
	char *text, *limit, *stops = explanation_of_stops(job);
	size_t size;
	FILE *f = open_text(&text, &size);

	if (note)
		fputs(note, f);
	if (error)
		fprintf(f, "%serror: %s", separator, error);
	else if ((limit = explanation_of_limit(job)) != NULL) {
		fprintf(f, "%s%s", separator, limit);
		free(limit);
		separator = ", ";
	}
	if (stops)
		fprintf(f, "%s%s", error ? ", " : separator, stops);
	free(stops);
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

/* The lines after the table. */
static void
print_reasons(FILE *f, const struct results *results, bool utf8, bool errors_too)
{
	for (size_t i = 0; i < results->num; i++) {
		const struct summary *job = &results->list[i];
		const char *error = json_get_text(job->members, "error", NULL);
		char *text, *line;

		if (error ? !errors_too : json_object_object_get(job->members, "max_qps_under_sla") != NULL)
			continue;
		text = error ? memory_format("error: %s", error) : explanation_of_no_answer(job);
		line = memory_format("%s: %s", json_get_text(job->members, "job_name", ""), text);
		free(text);
		text = line;
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
