#include "sla.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "columns.h"
#include "file.h"
#include "json.h"
#include "memory.h"
#include "quantile.h"
#include "timeline.h"

#define COUNT_MAX 9007199254740992.0 /* up to here doubles count every request */

/* benchmark_results.json as the harness wrote it. */
struct counts {
	double successful, failed;
	bool is_limited; /* by itself */
	char *note;      /* for people; NULL: none */
};

/* What an evaluation has read. */
struct evaluation {
	const char *directory;
	const struct rules *rules;
	struct columns requests;
	struct column **metrics;   /* for each rule; NULL: it is one on the queue */
	size_t *num_values;        /* for each rule: the values at the start of its metric, none of them NaN */
	struct timeline *timeline; /* NULL where no rule needs it */
};

static bool
is_queue_rule(const struct rule *rule)
{
	return strcmp(rule->metric, RULE_QUEUE_METRIC) == 0;
}

/* The line of the first "KEY" in TEXT; 1 if there is none. */
static long
line_of_key(const char *text, const char *key)
{
	char *quoted = memory_format("\"%s\"", key);
	const char *found = strstr(text, quoted);
	long line = 1;

	for (; found && text < found; text++)
		line += *text == '\n';
	free(quoted);
	return line;
}

static int
read_count(struct json_object *summary, const char *key, const char *path, const char *bytes, double *count,
    struct error *e)
{
	struct json_object *member = NULL;

	json_object_object_get_ex(summary, key, &member);
	*count = json_get_number(summary, key, NAN);
	if (*count >= 0 && *count <= COUNT_MAX && *count == floor(*count))
		return 0;
	return error_add(e, EX_DATAERR, path, line_of_key(bytes, member ? key : "summary"),
	    "\"%s\" in \"summary\" is %s; expected a whole number of requests", key,
	    member ? json_object_to_json_string(member) : "missing or null");
}

static int
read_results(const char *path, struct counts *counts, struct error *e)
{
	struct json_object *results = NULL, *summary = NULL;
	size_t size;
	char *bytes = file_read(path, &size, e);
	int status = -1;

	if (!bytes)
		return -1;
	results = json_parse(bytes, size, path, 1, e);
	if (json_object_is_type(results, json_type_object))
		json_object_object_get_ex(results, "summary", &summary);
	if (json_object_is_type(summary, json_type_object)) {
		status = read_count(summary, "num_successful", path, bytes, &counts->successful, e);
		if (read_count(summary, "num_failed", path, bytes, &counts->failed, e) < 0)
			status = -1;
		counts->is_limited = strcmp(json_get_text(summary, "limited_by", ""), "harness") == 0;
		if (json_get_text(summary, "note", NULL))
			counts->note = memory_string(json_get_text(summary, "note", ""));
	} else if (results || !error_is_set(e)) {
		error_add(e, EX_DATAERR, path, line_of_key(bytes, "summary"),
		    "expected {\"summary\": {\"num_successful\": N, \"num_failed\": N}}");
	}
	json_object_put(results);
	free(bytes);
	return status;
}

static void
note_arrivals(const struct column *arrival, size_t num_rows, struct sla_result *result)
{
	result->first_arrival = INFINITY;
	result->last_arrival = -INFINITY;
	for (size_t i = 0; i < num_rows && arrival->found; i++) {
		if (!isfinite(arrival->values[i]))
			continue;
		result->num_arrivals++;
		result->first_arrival = fmin(result->first_arrival, arrival->values[i]);
		result->last_arrival = fmax(result->last_arrival, arrival->values[i]);
	}
	if (result->num_arrivals == 0)
		result->first_arrival = result->last_arrival = 0;
}

/* Moves the values that are there to the front and returns their number. */
static size_t
drop_missing(double *values, size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (!isnan(values[i]))
			values[n++] = values[i];
	return n;
}

static int
read_requests(struct evaluation *v, const char *path, struct sla_result *result, struct error *e)
{
	struct columns *requests = &v->requests;
	struct column *arrival = columns_want(requests, "arrival_time", COLUMN_STAMP, false);

	columns_want(requests, "error", COLUMN_ERROR, false);
	for (size_t i = 0; i < v->rules->count; i++)
		if (!is_queue_rule(&v->rules->list[i]))
			v->metrics[i] = columns_want(requests, v->rules->list[i].metric, COLUMN_NUMBER, true);
	if (columns_read(requests, path, e) < 0)
		return -1;
	note_arrivals(arrival, requests->num_rows, result);
	result->num_rows = (double)requests->num_rows;
	result->num_error_rows = (double)requests->num_failed;
	for (size_t i = 0; i < v->rules->count; i++) {
		size_t count = requests->num_rows;

		for (size_t j = 0; j < i && v->metrics[i]; j++)
			if (v->metrics[j] == v->metrics[i])
				count = v->num_values[j];
		if (v->metrics[i])
			v->num_values[i] = drop_missing(v->metrics[i]->values, count);
	}
	return 0;
}

static void
count_requests(const struct counts *counts, bool has_requests, double planned, struct sla_result *result)
{
	double missing = has_requests && planned > result->num_rows ? planned - result->num_rows : 0;

	if (result->has_results) {
		result->num_failed = fmax(counts->failed, result->num_error_rows);
		result->num_requests = fmax(counts->successful + counts->failed, result->num_rows);
	} else {
		result->num_failed = result->num_error_rows + missing;
		result->num_requests = result->num_rows + missing;
	}
}

static double
value_of(const struct evaluation *v, size_t i, double num_failed)
{
	const struct rule *rule = &v->rules->list[i];

	if (is_queue_rule(rule))
		return timeline_queue_depth(v->timeline, rule->quantile);
	if (rule->op == RULE_EQ && num_failed > 0)
		return NAN; /* a failed request equals nothing, and has no place in an order */
	return quantile_linear(v->metrics[i]->values, v->num_values[i], rule->quantile, num_failed, rule_worst(rule));
}

/* Judges the rules. Of two rules with one key a value that fails its rule is shown. */
static void
judge(const struct evaluation *v, struct sla_result *result)
{
	result->passed = v->rules->given ? VERDICT_PASSED : VERDICT_NONE;
	result->metric_values = json_object_new_object();
	if (!result->metric_values)
		memory_exhausted();
	for (size_t i = 0; i < v->rules->count; i++) {
		double value = value_of(v, i, result->num_failed);
		bool holds = rule_holds(&v->rules->list[i], value);
		char *key = rule_key(&v->rules->list[i]);

		if (!holds || !json_object_object_get_ex(result->metric_values, key, NULL))
			json_object_object_add(result->metric_values, key, json_number(value));
		if (!holds)
			result->passed = VERDICT_FAILED;
		free(key);
	}
}

static int
evaluate(struct evaluation *v, double planned, struct sla_result *result, struct error *e)
{
	char *results = memory_format("%s/benchmark_results.json", v->directory);
	char *requests = memory_format("%s/request_metrics.csv", v->directory);
	char *timeline = memory_format("%s/worker_timeline.csv", v->directory);
	size_t num_queue_rules = 0;
	struct counts counts = { 0, 0, false, NULL };
	bool has_requests;
	int status = 0;

	for (size_t i = 0; i < v->rules->count; i++)
		num_queue_rules += is_queue_rule(&v->rules->list[i]);
	result->has_results = access(results, F_OK) == 0;
	if (result->has_results && read_results(results, &counts, e) < 0)
		status = -1;
	has_requests = num_queue_rules < v->rules->count || (!result->has_results && num_queue_rules == 0) ||
	    access(requests, F_OK) == 0;
	if (has_requests && read_requests(v, requests, result, e) < 0)
		status = -1;
	if (num_queue_rules > 0 && !(v->timeline = timeline_read(timeline, e)))
		status = -1;
	if (status == 0) {
		count_requests(&counts, has_requests, planned, result);
		result->is_limited = counts.is_limited;
		result->note = counts.note;
		counts.note = NULL;
		judge(v, result);
	}
	free(counts.note);
	free(results);
	free(requests);
	free(timeline);
	return status;
}

int
sla_evaluate(const char *directory, const struct rules *rules, double planned, struct sla_result *result,
    struct error *e)
{
	struct evaluation v = { .directory = directory, .rules = rules };
	int status;

	memset(result, 0, sizeof *result);
	v.metrics = memory_alloc(rules->count, sizeof(struct column *));
	v.num_values = memory_alloc(rules->count, sizeof *v.num_values);
	status = evaluate(&v, planned, result, e);
	columns_free(&v.requests);
	timeline_free(v.timeline);
	free(v.metrics);
	free(v.num_values);
	return status;
}

void
sla_result_free(struct sla_result *result)
{
	json_object_put(result->metric_values);
	result->metric_values = NULL;
	free(result->note);
	result->note = NULL;
}
