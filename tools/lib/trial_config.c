#include "trial_config.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "file.h"
#include "harness.h"
#include "job.h"
#include "json.h"
#include "memory.h"

static const char output_dir_key[] = "output_dir", timeout_key[] = "benchmark_timeout", qps_key[] = "qps",
    replaced_key[] = "pool_replaced";

static int
compare_keys(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A new object with the members of CONFIG (which may be NULL) in the order of their keys. */
static struct json_object *
sorted(struct json_object *config)
{
	size_t n = 0, count = config ? (size_t)json_object_object_length(config) : 0;
	const char **keys = memory_alloc(count, sizeof *keys);
	struct json_object *copy = json_object_new_object();

	if (config) {
		json_object_object_foreach(config, key, value) {
			(void)value;
			keys[n++] = key;
		}
	}
	qsort(keys, n, sizeof *keys, compare_keys);
	for (size_t i = 0; i < n; i++)
		json_object_object_add(copy, keys[i], json_object_get(json_object_object_get(config, keys[i])));
	free(keys);
	return copy;
}

/* Puts ASSIGNED's members over those of CONFIG, which gets what they replace as one member more. */
static void
assign(struct json_object *config, struct json_object *assigned)
{
	struct json_object *replaced = json_object_new_object();

	json_object_object_foreach(assigned, key, value) {
		json_object_object_add(replaced, key, json_object_get(json_object_object_get(config, key)));
		json_object_object_add(config, key, json_object_get(value));
	}
	json_object_object_add(config, replaced_key, replaced);
}

/* Undoes assign(). */
static void
restore_replaced(struct json_object *config)
{
	struct json_object *replaced = json_object_get(json_object_object_get(config, replaced_key));

	if (json_object_is_type(replaced, json_type_object)) {
		json_object_object_foreach(replaced, key, value) {
			if (value)
				json_object_object_add(config, key, json_object_get(value));
			else
				json_object_object_del(config, key);
		}
		json_object_object_del(config, replaced_key);
	}
	json_object_put(replaced);
}

static struct json_object *
without_what_does_not_count(struct json_object *config)
{
	json_object_object_del(config, output_dir_key);
	json_object_object_del(config, timeout_key);
	return config;
}

struct json_object *
trial_config_of_job(const struct job *job, double qps)
{
	struct json_object *config = json_object_object_get(job->json, "benchmark_config");

	config = sorted(json_object_is_type(config, json_type_object) ? config : NULL);
	json_object_object_add(config, qps_key, json_number(qps));
	return without_what_does_not_count(config);
}

struct json_object *
trial_config_of_command(const struct harness *harness, double qps, struct error *e)
{
	struct json_object *config = json_object_new_object(), *words = json_object_new_array(), *parsed;
	struct json_object *environment = json_object_new_object();
	char *text;

	for (char **word = harness->argv; *word; word++)
		json_object_array_add(words, json_object_new_string(*word));
	for (size_t i = 0; i < harness->num_environment; i++) {
		char *name = memory_string(harness->environment[i]), *value = strchr(name, '=');

		*value++ = '\0';
		json_object_object_add(environment, name, json_object_new_string(value));
		free(name);
	}
	json_object_object_add(config, "command", words);
	json_object_object_add(config, "environment", environment);
	if (qps > 0)
		json_object_object_add(config, qps_key, json_number(qps));
	text = json_line(config);
	json_object_put(config);
	parsed = json_parse(text, strlen(text), NULL, 0, e);
	free(text);
	if (parsed)
		return parsed;
	error_clear(e);
	error_add(e, EX_USAGE, NULL, 0, "COMMAND or --env has bytes that are no UTF-8 text; trial_config.json cannot hold them");
	return NULL;
}

static bool
is_number(struct json_object *o)
{
	return json_object_is_type(o, json_type_double) || json_object_is_type(o, json_type_int);
}

static bool
equal(struct json_object *a, struct json_object *b)
{
	struct json_object *other;

	if (json_object_get_type(a) != json_object_get_type(b))
		return is_number(a) && is_number(b) && json_object_get_double(a) == json_object_get_double(b);
	if (json_object_is_type(a, json_type_array)) {
		if (json_object_array_length(a) != json_object_array_length(b))
			return false;
		for (size_t i = 0; i < json_object_array_length(a); i++)
			if (!equal(json_object_array_get_idx(a, i), json_object_array_get_idx(b, i)))
				return false;
		return true;
	}
	if (!json_object_is_type(a, json_type_object))
		return json_object_equal(a, b);
	if (json_object_object_length(a) != json_object_object_length(b))
		return false;
	json_object_object_foreach(a, key, value)
		if (!json_object_object_get_ex(b, key, &other) || !equal(value, other))
			return false;
	return true;
}

bool
trial_config_matches(const char *path, struct json_object *config)
{
	struct error ignored = ERROR_NONE;
	struct json_object *there = json_read(path, &ignored);
	bool same = false;

	if (json_object_is_type(there, json_type_object)) {
		restore_replaced(there);
		same = equal(without_what_does_not_count(there), config);
	}
	json_object_put(there);
	error_clear(&ignored);
	return same;
}

int
trial_config_publish(const char *path, struct json_object *config, struct json_object *assigned,
    const char *output_dir, double timeout, struct error *e)
{
	struct json_object *whole, *added = sorted(config);
	char *text;
	int status;

	if (assigned)
		assign(added, assigned);
	json_object_object_add(added, output_dir_key, json_object_new_string(output_dir));
	json_object_object_add(added, timeout_key, json_number(timeout));
	whole = sorted(added);
	text = json_pretty(whole);
	status = file_publish_fast(path, text, strlen(text), e);
	free(text);
	json_object_put(added);
	json_object_put(whole);
	return status;
}
