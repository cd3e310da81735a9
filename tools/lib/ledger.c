#include "ledger.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "cell.h"
#include "digest.h"
#include "json.h"
#include "memory.h"
#include "metric.h"
#include "number.h"
#include "rule.h"

struct ledger {
	struct digest *digests; /* one a trial */
	size_t num;
	const char **metrics;   /* the names of all of them, in the digests */
	size_t num_metrics;
};

/* Whether RUN_DIR, as a summary gives it, is a place below the output directory's jobs. */
static bool
is_below_jobs(const char *run_dir)
{
	size_t n = strlen(run_dir);

	return strncmp(run_dir, "jobs/", 5) == 0 && !strstr(run_dir, "/../") && (n < 3 || strcmp(run_dir + n - 3, "/..") != 0);
}

/* Where a metric stands: the common ones in their order, then the queue, then the others. */
static size_t
rank(const char *name)
{
	size_t i = 0;

	while (metric_common[i] && strcmp(metric_common[i], name) != 0)
		i++;
	return metric_common[i] || strcmp(name, RULE_QUEUE_METRIC) == 0 ? i : i + 1;
}

static int
compare_metrics(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;

	return rank(x) != rank(y) ? (rank(x) > rank(y) ? 1 : -1) : strcmp(x, y);
}

static void
add_metric(struct ledger *l, const char *name)
{
	for (size_t i = 0; i < l->num_metrics; i++)
		if (strcmp(l->metrics[i], name) == 0)
			return;
	l->metrics = memory_resize(l->metrics, l->num_metrics + 1, sizeof *l->metrics);
	l->metrics[l->num_metrics++] = name;
}

static void
add_trial(struct ledger *l, const struct results *results, struct json_object *entry, struct error *faults)
{
	const char *run_dir = json_get_text(entry, "run_dir", "");
	char *directory = memory_format("%s/%s", results->output_dir, run_dir);
	struct digest *d;

	if ((l->num & (l->num - 1)) == 0)
		l->digests = memory_resize(l->digests, l->num ? 2 * l->num : 1, sizeof *l->digests);
	d = &l->digests[l->num++];
	memset(d, 0, sizeof *d);
	if (!is_below_jobs(run_dir))
		error_add(faults, EX_DATAERR, results->output_dir, 0, "'%s' is the run_dir of a trial; expected one below jobs", run_dir);
	else if (digest_read(directory, d, faults) == 0)
		for (size_t i = 0; i < d->num; i++)
			add_metric(l, d->list[i].name);
	free(directory);
}

static void
write_header(FILE *f, const struct ledger *l)
{
	fputs("job_name,job_key,simulated,trial,qps,passed,timed_out,limited_by,num_requests,num_failed,run_dir,num_rows,num_failed_rows", f);
	fputc(l->num_metrics > 0 ? ',' : '\n', f);
	for (size_t i = 0; i < l->num_metrics; i++) {
		for (size_t j = 0; j < DIGEST_SIZE; j++) {
			char *name = memory_format("%s@%s%s", l->metrics[i], digest_quantiles[j] < 1 ? "q" : "", digest_names[j]);

			cell_write(f, name, i + 1 < l->num_metrics || j + 1 < DIGEST_SIZE ? ',' : '\n');
			free(name);
		}
	}
}

/* A member of a trace's entry: text, number or boolean as they are, null as an empty cell. */
static void
write_member(FILE *f, struct json_object *entry, const char *key)
{
	struct json_object *value = json_object_object_get(entry, key);

	cell_write(f, value ? json_object_get_string(value) : "", ',');
}

static void
write_values(FILE *f, const struct ledger *l, const struct digest *d)
{
	char text[NUMBER_TEXT_MAX];

	fprintf(f, d->has_rows ? "%.0f,%.0f" : ",", d->num_rows, d->num_failed);
	for (size_t i = 0; i < l->num_metrics; i++) {
		const struct digest_metric *m = digest_find(d, l->metrics[i]);

		for (size_t j = 0; j < DIGEST_SIZE; j++)
			fprintf(f, ",%s", m ? number_repr(m->values[j], text) : "");
	}
	fputc('\n', f);
}

static void
write_trial(FILE *f, const struct summary *s, size_t number, struct json_object *entry)
{
	static const char *const members[] = { "qps", "passed", "timed_out", "limited_by", "num_requests", "num_failed", "run_dir" };

	cell_write(f, json_get_text(s->members, "job_name", ""), ',');
	cell_write(f, json_get_text(s->members, "job_key", ""), ',');
	fprintf(f, "%s,%zu,", json_get_bool(s->members, "simulated", false) ? "true" : "false", number);
	for (size_t i = 0; i < sizeof members / sizeof *members; i++)
		write_member(f, entry, members[i]);
}

char *
ledger_csv(const struct results *results, struct error *faults)
{
	struct json_object **traces = memory_alloc(results->num, sizeof(struct json_object *));
	struct ledger ledger = { 0 };
	size_t size, row = 0;
	char *text;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		memory_exhausted();
	for (size_t i = 0; i < results->num; i++) {
		traces[i] = summary_trace(&results->list[i]);
		for (size_t j = 0; j < json_object_array_length(traces[i]); j++)
			add_trial(&ledger, results, json_object_array_get_idx(traces[i], j), faults);
	}
	if (ledger.num_metrics > 0)
		qsort(ledger.metrics, ledger.num_metrics, sizeof *ledger.metrics, compare_metrics);
	write_header(f, &ledger);
	for (size_t i = 0; i < results->num; i++) {
		for (size_t j = 0; row < ledger.num && j < json_object_array_length(traces[i]); j++, row++) {
			write_trial(f, &results->list[i], j + 1, json_object_array_get_idx(traces[i], j));
			write_values(f, &ledger, &ledger.digests[row]);
		}
		json_object_put(traces[i]);
	}
	if (fclose(f) != 0)
		memory_exhausted();
	while (ledger.num > 0)
		digest_free(&ledger.digests[--ledger.num]);
	free(ledger.digests);
	free(ledger.metrics);
	free(traces);
	return text;
}
