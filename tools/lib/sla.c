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
#include "sieve.h"
#include "timeline.h"

#define COUNT_MAX 9007199254740992.0 /* up to here doubles count every request */

/* benchmark_results.json as the harness wrote it. */
struct counts {
	double successful, failed;
	bool is_limited; /* by itself */
	bool is_stopped; /* early */
	char *note;      /* for people; NULL: none */
};

/* What a rule needs of request_metrics.csv. */
struct metric {
	const struct rule *rule;
	struct column *column;
	struct sieve sieve; /* the values but for missing ones and those of failed rows */
	bool is_settled;    /* the value is known */
	double value;
};

/* What an evaluation has read. */
struct evaluation {
	const char *directory;
	const struct rules *rules;
	bool with_arrivals;
	struct metric *metrics;    /* those of the num_metrics rules that are on request_metrics.csv */
	size_t num_metrics;
	struct column *arrival;    /* NULL: they are not asked for */
	struct sla_result *result; /* the arrivals are noted in it */
	struct timeline *timeline; /* NULL where no rule needs it, or it was cut off */
};

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
		counts->is_stopped = json_get_bool(summary, "stopped_early", false);
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
take_rows(void *evaluation, size_t num)
{
	struct evaluation *v = evaluation;

	for (size_t i = 0; i < v->num_metrics; i++)
		if (!v->metrics[i].is_settled)
			sieve_add(&v->metrics[i].sieve, v->metrics[i].column->cells, num);
	for (size_t n = 0; n < num && v->arrival; n++)
		arrivals_add(&v->result->arrivals, v->arrival->cells[n]);
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

/* The columns that are wanted of request_metrics.csv. */
static void
want_columns(struct evaluation *v, struct columns *requests)
{
	*requests = (struct columns){ .take_rows = take_rows, .argument = v };
	v->arrival = v->with_arrivals ? columns_want(requests, "arrival_time", COLUMN_STAMP, false) : NULL;
	columns_want(requests, "error", COLUMN_ERROR, false);
	for (size_t i = 0; i < v->num_metrics; i++)
		v->metrics[i].column = columns_want(requests, v->metrics[i].rule->metric, COLUMN_NUMBER, true);
}

/* Looks at rows from all over a large file, so that of all rows only the values near a rule's quantile need to be kept. */
static void
narrow_metrics(struct evaluation *v, const char *path)
{
	struct columns requests;
	size_t num_places;

	want_columns(v, &requests);
	v->arrival = NULL;
	num_places = columns_look(&requests, path);
	for (size_t i = 0; i < v->num_metrics && num_places > 0; i++)
		sieve_narrow(&v->metrics[i].sieve, v->metrics[i].rule->quantile, (double)requests.num_failed,
		    rule_worst(v->metrics[i].rule), (double)num_places);
	columns_free(&requests);
}

static int
read_requests(struct evaluation *v, const char *path, struct error *e)
{
	struct columns requests;
	int status;

	want_columns(v, &requests);
	status = columns_read(&requests, path, e);
	v->result->num_rows = (double)requests.num_rows;
	v->result->num_error_rows = (double)requests.num_failed;
	columns_free(&requests);
	return status;
}

/* Finds the values of the metrics. False if some are not known: those are open for all values then. */
static bool
settle_metrics(struct evaluation *v)
{
	double num_failed = v->result->num_failed;
	bool all = true;

	for (size_t i = 0; i < v->num_metrics; i++) {
		struct metric *m = &v->metrics[i];

		m->is_settled = m->is_settled ||
		    sieve_quantile(&m->sieve, m->rule->quantile, num_failed, rule_worst(m->rule), &m->value);
		if (!m->is_settled) {
			sieve_free(&m->sieve);
			sieve_start(&m->sieve);
			all = false;
		} else if (m->rule->op == RULE_EQ && num_failed > 0) {
			m->value = NAN; /* a failed request equals nothing, and has no place in an order */
		}
	}
	return all;
}

/* The values of the metrics. Where the look at the file misled, it is read once more. */
static int
find_values(struct evaluation *v, const char *path, struct error *e)
{
	if (settle_metrics(v))
		return 0;
	v->with_arrivals = false; /* they are known */
	if (read_requests(v, path, e) < 0)
		return -1;
	settle_metrics(v);
	return 0;
}

static double
queue_depth(const struct evaluation *v, const struct rule *rule)
{
	return v->timeline ? timeline_queue_depth(v->timeline, rule->quantile) : NAN;
}

/* Judges the rules. Of two rules with one key a value that fails its rule is shown. */
static void
judge(const struct evaluation *v, struct sla_result *result)
{
	const struct metric *m = v->metrics;

	result->passed = v->rules->given ? VERDICT_PASSED : VERDICT_NONE;
	result->metric_values = json_object_new_object();
	if (!result->metric_values)
		memory_exhausted();
	for (size_t i = 0; i < v->rules->count; i++) {
		const struct rule *rule = &v->rules->list[i];
		double value = rule_is_of_queue(rule) ? queue_depth(v, rule) : (m++)->value;
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
	size_t num_queue_rules = v->rules->count - v->num_metrics;
	struct counts counts = { 0 };
	bool has_requests;
	int status = 0;

	result->has_results = access(results, F_OK) == 0;
	if (result->has_results && read_results(results, &counts, e) < 0)
		status = -1;
	has_requests = num_queue_rules < v->rules->count || (!result->has_results && num_queue_rules == 0) ||
	    access(requests, F_OK) == 0;
	if (has_requests && v->num_metrics > 0)
		narrow_metrics(v, requests);
	if (has_requests && read_requests(v, requests, e) < 0)
		status = -1;
	if (num_queue_rules > 0 && !counts.is_stopped && !(v->timeline = timeline_read(timeline, e)))
		status = -1;
	if (status == 0) {
		count_requests(&counts, has_requests, planned, result);
		status = find_values(v, requests, e);
	}
	if (status == 0) {
		result->is_limited = counts.is_limited;
		result->is_stopped = counts.is_stopped;
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
sla_evaluate(const char *directory, const struct rules *rules, double planned, bool with_arrivals,
    struct sla_result *result, struct error *e)
{
	struct evaluation v = { .directory = directory, .rules = rules, .with_arrivals = with_arrivals, .result = result };
	int status;

	memset(result, 0, sizeof *result);
	v.metrics = memory_alloc(rules->count, sizeof *v.metrics);
	for (size_t i = 0; i < rules->count; i++) {
		if (rule_is_of_queue(&rules->list[i]))
			continue;
		v.metrics[v.num_metrics].rule = &rules->list[i];
		sieve_start(&v.metrics[v.num_metrics++].sieve);
	}
	status = evaluate(&v, planned, result, e);
	timeline_free(v.timeline);
	for (size_t i = 0; i < v.num_metrics; i++)
		sieve_free(&v.metrics[i].sieve);
	free(v.metrics);
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
