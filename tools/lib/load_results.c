#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "json.h"
#include "load.h"
#include "memory.h"

static struct json_object *
quantiles_to_json(const struct lateness *l)
{
	static const struct { const char *name; double quantile; } quantiles[] = {
		{ "q0.5", 0.5 }, { "q0.9", 0.9 }, { "q0.99", 0.99 }, { "q0.999", 0.999 } };
	struct json_object *o = json_object_new_object();

	for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++)
		json_object_object_add(o, quantiles[i].name, json_number(lateness_quantile(l, quantiles[i].quantile)));
	json_object_object_add(o, "max", json_number(l->max));
	return o;
}

int
load_publish(const struct load *l, const char *limit, const char *directory, struct error *e)
{
	struct json_object *results = json_object_new_object(), *summary = json_object_new_object();
	struct json_object *errors = json_object_new_object(), *generator = json_object_new_object();
	char *path = memory_format("%s/benchmark_results.json", directory), *text;
	int status;

	json_object_object_add(summary, "num_successful", json_object_new_int64((int64_t)l->num_successful));
	json_object_object_add(summary, "num_failed", json_object_new_int64((int64_t)l->num_failed));
	json_object_object_add(summary, "limited_by", json_text_or_null(limit ? "harness" : NULL));
	json_object_object_add(summary, "limit", json_text_or_null(limit));
	for (int i = 0; i < LOAD_CAUSES && l->causes[i].count > 0; i++)
		json_object_object_add(errors, l->causes[i].text, json_object_new_int64((int64_t)l->causes[i].count));
	json_object_object_add(generator, "lateness_s", quantiles_to_json(&l->lateness));
	json_object_object_add(generator, "elapsed_s", json_number(l->elapsed));
	json_object_object_add(generator, "max_in_flight", json_object_new_int64(client_max_in_flight(l->client)));
	json_object_object_add(generator, "connections", json_object_new_int64((int64_t)client_connections(l->client)));
	json_object_object_add(results, "summary", summary);
	json_object_object_add(results, "errors", errors);
	json_object_object_add(results, "generator", generator);
	text = json_pretty(results);
	status = file_publish(path, text, strlen(text), e);
	json_object_put(results);
	free(text);
	free(path);
	return status;
}
