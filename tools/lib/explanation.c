#include "explanation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "memory.h"
#include "rate.h"

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

char *
explanation_of_limit(const struct summary *job)
{
	const char *limit = json_get_text(job->members, "limited_by", NULL), *end = json_get_text(job->members, "search_end", "");
	bool at_rate = strcmp(end, "timeout") == 0 || strcmp(end, "harness") == 0;
	char rate[RATE_TEXT_MAX] = "";

	if (!limit && !at_rate && strcmp(end, "max_iterations") != 0)
		return NULL;
	if (at_rate)
		last_rate(job, rate);
	return memory_format("%s by %s%s%s", limit ? "limited" : "ended", limit ? limit : end, at_rate ? " at " : "", rate);
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

char *
explanation_of_stops(const struct summary *job)
{
	double num = json_get_number(job->members, "num_stopped_early", 0);

	return num > 0 ? memory_format("%.0f stopped early", num) : NULL;
}

char *
explanation_of_no_answer(const struct summary *job)
{
	const char *end = json_get_text(job->members, "search_end", "");
	struct json_object *trace = summary_trace(job);
	bool judged;
	struct json_object *lowest = lowest_entry(trace, &judged);
	char rate[RATE_TEXT_MAX], *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		memory_exhausted();
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
	if (fclose(f) != 0)
		memory_exhausted();
	return text;
}

