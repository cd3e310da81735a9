#include "digest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "columns.h"
#include "file.h"
#include "json.h"
#include "memory.h"
#include "quantile.h"
#include "rule.h"
#include "timeline.h"

/*
 * metrics.json: "request_metrics" and "worker_timeline", each "SIZE MTIME" of the file or null; "num_rows", "num_failed";
 * "metrics", an object: the name of a metric to an object from the name of a quantile to its value, "inf" and "-inf" as text.
 */
#define DIGEST_FILE "metrics.json"

enum { LARGE = 16 << 20, COLUMNS_OF_LARGE = 3, LARGE_TIMELINE = 64 << 20 }; /* bytes of a file; columns at a time */

const double digest_quantiles[DIGEST_SIZE] = { 0.5, 0.9, 0.95, 0.99, 0.999, 1 };
const char *const digest_names[DIGEST_SIZE] = { "0.5", "0.9", "0.95", "0.99", "0.999", "max" };

/* A file that a digest is made from. */
struct source {
	char *path;
	char *stamp; /* NULL: there is none */
	off_t size;
};

static void
source_open(const char *directory, const char *name, struct source *s)
{
	struct stat st;

	memset(s, 0, sizeof *s);
	s->path = memory_format("%s/%s", directory, name);
	if (stat(s->path, &st) != 0)
		return;
	s->size = st.st_size;
	s->stamp = memory_format("%lld %lld.%09ld", (long long)st.st_size, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

static void
source_close(struct source *s)
{
	free(s->path);
	free(s->stamp);
}

/* Whether two stamps, NULL for no file, are the same. */
static bool
is_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static struct digest_metric *
add(struct digest *d, const char *name)
{
	d->list = memory_resize(d->list, d->num + 1, sizeof *d->list);
	d->list[d->num].name = memory_string(name);
	return &d->list[d->num++];
}

/* Adds a column, of which VALUES is reordered. */
static void
add_column(struct digest *d, const char *name, double *values, size_t num_rows)
{
	struct digest_metric *m;
	size_t count = 0;

	for (size_t i = 0; i < num_rows; i++)
		if (!isnan(values[i]))
			values[count++] = values[i];
	if (count == 0)
		return;
	m = add(d, name);
	for (size_t i = 0; i < DIGEST_SIZE; i++)
		m->values[i] = quantile_linear(values, count, digest_quantiles[i], 0, 0);
}

static void
no_rows(void *argument, size_t num)
{
	(void)argument;
	(void)num;
}

/* Reads all columns, their values too unless the file is large; COLUMNS has the metrics behind the others. */
static int
read_columns(const struct source *s, struct columns *columns, struct error *e)
{
	columns_want(columns, "error", COLUMN_ERROR, false);
	columns_want(columns, "request_id", COLUMN_STAMP, false);
	columns_want(columns, "arrival_time", COLUMN_STAMP, false);
	columns->all = true;
	columns->take_rows = s->size > LARGE ? no_rows : NULL;
	return columns_read(columns, s->path, e);
}

/* Adds those of COLUMNS, from FIRST on, that are metrics of a large file; *NEXT is the first that was not looked at. */
static int
add_some(const struct source *s, const struct columns *columns, size_t first, size_t *next, struct digest *d, struct error *e)
{
	struct columns some = { 0 };
	int status;

	columns_want(&some, "error", COLUMN_ERROR, false);
	for (*next = first; *next < columns->count && some.count <= COLUMNS_OF_LARGE; ++*next)
		if (columns->list[*next]->kind == COLUMN_METRIC && !columns->list[*next]->is_text)
			columns_want(&some, columns->list[*next]->name, COLUMN_METRIC, false);
	status = some.count > 1 ? columns_read(&some, s->path, e) : 0;
	for (size_t i = 1; i < some.count && status == 0; i++)
		add_column(d, some.list[i]->name, some.list[i]->values, some.num_rows);
	columns_free(&some);
	return status;
}

static int
add_requests(const struct source *s, struct digest *d, struct error *e)
{
	struct columns columns = { 0 };
	int status = read_columns(s, &columns, e);

	d->has_rows = true;
	d->num_rows = (double)columns.num_rows;
	d->num_failed = (double)columns.num_failed;
	for (size_t i = 0; i < columns.count && status == 0 && !columns.take_rows; i++)
		if (columns.list[i]->kind == COLUMN_METRIC && !columns.list[i]->is_text)
			add_column(d, columns.list[i]->name, columns.list[i]->values, columns.num_rows);
	for (size_t i = 0; i < columns.count && status == 0 && columns.take_rows;)
		status = add_some(s, &columns, i, &i, d, e);
	columns_free(&columns);
	return status;
}

static int
add_queue(const struct source *s, struct digest *d, struct error *e)
{
	struct timeline *timeline = timeline_read(s->path, e);
	struct digest_metric *m;

	if (!timeline)
		return -1;
	m = add(d, RULE_QUEUE_METRIC);
	for (size_t i = 0; i < DIGEST_SIZE; i++)
		m->values[i] = timeline_queue_depth(timeline, digest_quantiles[i]);
	timeline_free(timeline);
	return 0;
}

static struct json_object *
value_to_json(double value)
{
	return isinf(value) ? json_object_new_string(value > 0 ? "inf" : "-inf") : json_number(value);
}

static struct json_object *
to_json(const struct digest *d, const char *requests, const char *timeline)
{
	struct json_object *o = json_object_new_object(), *metrics = json_object_new_object();

	json_object_object_add(o, "request_metrics", json_text_or_null(requests));
	json_object_object_add(o, "worker_timeline", json_text_or_null(timeline));
	json_object_object_add(o, "num_rows", json_object_new_int64((int64_t)d->num_rows));
	json_object_object_add(o, "num_failed", json_object_new_int64((int64_t)d->num_failed));
	for (size_t i = 0; i < d->num; i++) {
		struct json_object *values = json_object_new_object();

		for (size_t j = 0; j < DIGEST_SIZE; j++)
			json_object_object_add(values, digest_names[j], value_to_json(d->list[i].values[j]));
		json_object_object_add(metrics, d->list[i].name, values);
	}
	json_object_object_add(o, "metrics", metrics);
	return o;
}

/* Takes the values of one metric; false if they are not as they should be. */
static bool
take_values(struct json_object *from, double values[DIGEST_SIZE])
{
	for (size_t i = 0; i < DIGEST_SIZE; i++) {
		struct json_object *value = json_object_is_type(from, json_type_object)
		    ? json_object_object_get(from, digest_names[i]) : NULL;
		bool is_text = json_object_is_type(value, json_type_string);

		if (!value)
			return false;
		values[i] = !is_text ? json_object_get_double(value) : *json_object_get_string(value) == '-' ? -INFINITY : INFINITY;
	}
	return true;
}

/* Takes the digest that was kept, if it is of these files. */
static bool
recall(const char *path, const char *requests, const char *timeline, struct digest *d)
{
	struct error ignored = ERROR_NONE;
	struct json_object *o = json_read(path, &ignored);
	struct json_object *metrics = json_object_is_type(o, json_type_object) ? json_object_object_get(o, "metrics") : NULL;
	bool good = json_object_is_type(metrics, json_type_object) &&
	    is_same(json_get_text(o, "request_metrics", NULL), requests) &&
	    is_same(json_get_text(o, "worker_timeline", NULL), timeline);

	error_clear(&ignored);
	if (good) {
		d->has_rows = requests != NULL;
		d->num_rows = json_get_number(o, "num_rows", 0);
		d->num_failed = json_get_number(o, "num_failed", 0);
		json_object_object_foreach(metrics, name, values) {
			good = good && take_values(values, add(d, name)->values);
		}
	}
	json_object_put(o);
	if (!good)
		digest_free(d);
	return good;
}

/* Keeps the digest at PATH, if the files did not change since they were looked at. */
static void
keep(const char *directory, const char *path, const struct source *requests, const struct source *timeline, const struct digest *d)
{
	struct json_object *o = to_json(d, requests->stamp, timeline->stamp);
	struct error ignored = ERROR_NONE;
	struct source now[2];
	char *text = json_pretty(o);

	source_open(directory, "request_metrics.csv", &now[0]);
	source_open(directory, "worker_timeline.csv", &now[1]);
	if (is_same(now[0].stamp, requests->stamp) && is_same(now[1].stamp, timeline->stamp))
		file_publish(path, text, strlen(text), &ignored);
	source_close(&now[0]);
	source_close(&now[1]);
	error_clear(&ignored);
	free(text);
	json_object_put(o);
}

int
digest_read(const char *directory, struct digest *d, struct error *e)
{
	char *path = memory_format("%s/" DIGEST_FILE, directory);
	struct source requests, timeline;
	int status = 0;

	memset(d, 0, sizeof *d);
	source_open(directory, "request_metrics.csv", &requests);
	source_open(directory, "worker_timeline.csv", &timeline);
	if (!recall(path, requests.stamp, timeline.stamp, d)) {
		if (requests.stamp)
			status = add_requests(&requests, d, e);
		if (status == 0 && timeline.stamp && timeline.size <= LARGE_TIMELINE)
			status = add_queue(&timeline, d, e);
		if (status == 0 && (requests.stamp || timeline.stamp))
			keep(directory, path, &requests, &timeline, d);
	}
	source_close(&requests);
	source_close(&timeline);
	free(path);
	if (status < 0)
		digest_free(d);
	return status;
}

void
digest_free(struct digest *d)
{
	for (size_t i = 0; i < d->num; i++)
		free(d->list[i].name);
	free(d->list);
	memset(d, 0, sizeof *d);
}

const struct digest_metric *
digest_find(const struct digest *d, const char *name)
{
	for (size_t i = 0; i < d->num; i++)
		if (strcmp(d->list[i].name, name) == 0)
			return &d->list[i];
	return NULL;
}
