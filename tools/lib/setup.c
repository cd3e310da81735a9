#include "setup.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digits.h"
#include "json.h"
#include "memory.h"
#include "rule.h"

char *
setup_rules_text(const char *output_dir)
{
	char *path = memory_format("%s/sla.json", output_dir), *text = NULL, threshold[DIGITS_TEXT_MAX];
	struct error ignored = ERROR_NONE;
	struct rules rules;
	size_t size;
	FILE *f;

	if (rules_read(path, &rules, &ignored) == 0) {
		f = open_memstream(&text, &size);
		if (!f)
			memory_exhausted();
		for (size_t i = 0; i < rules.count; i++) {
			char *key = rule_key(&rules.list[i]);

			fprintf(f, "%s%s %s %s", i ? ", " : "", key, rule_op_text(rules.list[i].op),
			    digits_exact(rules.list[i].threshold, threshold));
			free(key);
		}
		if (!rules.given)
			fputs("none", f);
		if (fclose(f) != 0)
			memory_exhausted();
		rules_free(&rules);
	}
	error_clear(&ignored);
	free(path);
	return text;
}

/* Adds the members of FROM, if it is an object, to SETUP, PREFIX before their names. */
static void
add_members(struct json_object *setup, const char *prefix, struct json_object *from)
{
	if (!json_object_is_type(from, json_type_object))
		return;
	json_object_object_foreach(from, key, value) {
		char *name = memory_format("%s%s", prefix, key);

		json_object_object_add(setup, name, json_object_get(value));
		free(name);
	}
}

struct json_object *
setup_read(const char *output_dir, const char *directory)
{
	static const char *const whole[] = { "benchmark_timeout", "harness" };
	char *path = memory_format("%s/jobs/%s/job.json", output_dir, directory), *rules = setup_rules_text(output_dir);
	struct json_object *setup = json_object_new_object(), *value;
	struct error ignored = ERROR_NONE;
	struct json_object *job = json_read(path, &ignored);

	if (!setup)
		memory_exhausted();
	if (json_object_is_type(job, json_type_object)) {
		add_members(setup, "", json_object_object_get(job, "benchmark_config"));
		for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
			if (json_object_object_get_ex(job, whole[i], &value))
				json_object_object_add(setup, whole[i], json_object_get(value));
		add_members(setup, "search.", json_object_object_get(job, "search"));
	}
	if (rules)
		json_object_object_add(setup, "sla", json_object_new_string(rules));
	json_object_put(job);
	error_clear(&ignored);
	free(rules);
	free(path);
	return setup;
}

static bool
is_number(struct json_object *value)
{
	return json_object_is_type(value, json_type_int) || json_object_is_type(value, json_type_double);
}

static bool
is_same(struct json_object *a, struct json_object *b)
{
	char *x, *y;
	bool same;

	if (is_number(a) && is_number(b))
		return json_object_get_double(a) == json_object_get_double(b);
	x = json_canonical(a);
	y = json_canonical(b);
	same = strcmp(x, y) == 0;
	free(x);
	free(y);
	return same;
}

/* Whether those of the SETUPS that are there give NAME different values; null and nothing are the same. */
static bool
differs(struct json_object *const *setups, size_t num, const char *name)
{
	struct json_object *first = NULL;
	bool has_first = false;

	for (size_t i = 0; i < num; i++) {
		struct json_object *value = setups[i] ? json_object_object_get(setups[i], name) : NULL;

		if (!setups[i])
			continue;
		if (has_first && !is_same(first, value))
			return true;
		first = value;
		has_first = true;
	}
	return false;
}

struct json_object *
setup_differences(struct json_object *const *setups, size_t num)
{
	struct json_object *differences = json_object_new_object();

	if (!differences)
		memory_exhausted();
	for (size_t i = 0; i < num; i++) {
		if (!setups[i])
			continue;
		json_object_object_foreach(setups[i], name, unused) {
			struct json_object *values;

			(void)unused;
			if (json_object_object_get_ex(differences, name, NULL) || !differs(setups, num, name))
				continue;
			values = json_object_new_array();
			for (size_t j = 0; j < num; j++)
				json_object_array_add(values, setups[j] ? json_object_get(json_object_object_get(setups[j], name)) : NULL);
			json_object_object_add(differences, name, values);
		}
	}
	return differences;
}

char *
setup_value_text(struct json_object *value)
{
	if (!value)
		return memory_string("-");
	if (json_object_is_type(value, json_type_string))
		return memory_string(json_object_get_string(value));
	return memory_string(json_object_to_json_string_ext(value, JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE));
}
