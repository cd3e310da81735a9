#include "settings.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "field.h"
#include "file.h"
#include "json.h"
#include "memory.h"
#include "number.h"

struct settings {
	char *path;
	char *bytes;                  /* of the config, to find lines in */
	struct json_object *config;
	struct json_object *over;     /* what stands over the config; may be NULL */
	struct json_object *defaults; /* of all fields, from the tables */
	struct field_table fields;
	struct error *e;
};

void
settings_set(struct json_object *over, const char *name, const char *text)
{
	char *field = memory_string(name);
	double number;
	long whole;

	for (char *p = field; *p; p++)
		if (*p == '-')
			*p = '_';
	if (number_parse_integer(text, INT64_MIN, INT64_MAX, &whole))
		json_object_object_add(over, field, json_object_new_int64(whole));
	else if (number_parse(text, &number))
		json_object_object_add(over, field, json_number(number));
	else
		json_object_object_add(over, field, json_object_new_string(text));
	free(field);
}

struct settings *
settings_read(const char *path, struct error *e)
{
	return settings_read_over(path, NULL, e);
}

struct settings *
settings_read_over(const char *path, struct json_object *over, struct error *e)
{
	struct settings *s;
	struct json_object *config;
	struct field_table fields;
	size_t size = 2;
	char *bytes = path ? file_read(path, &size, e) : memory_string("{}");

	if (!bytes)
		return NULL;
	config = json_parse(bytes, size, path, 1, e);
	if (!error_is_set(e) && !json_object_is_type(config, json_type_object))
		error_add(e, EX_DATAERR, path, 1, "expected a JSON object of benchmark fields");
	if (error_is_set(e) || field_table_read("sim", &fields, e) < 0) {
		json_object_put(config);
		free(bytes);
		return NULL;
	}
	s = memory_alloc(1, sizeof *s);
	s->path = path ? memory_string(path) : NULL;
	s->bytes = bytes;
	s->config = config;
	s->over = json_object_get(over);
	s->e = e;
	if (over) {
		json_object_object_foreach(over, name, value)
			json_object_object_add(config, name, json_object_get(value));
	}
	s->defaults = json_object_new_object();
	for (size_t i = 0; i < fields.count; i++)
		json_object_object_add(s->defaults, fields.list[i].name, field_default(&fields.list[i]));
	s->fields = fields;
	return s;
}

void
settings_free(struct settings *s)
{
	if (!s)
		return;
	json_object_put(s->config);
	json_object_put(s->over);
	json_object_put(s->defaults);
	field_table_free(&s->fields);
	free(s->path);
	free(s->bytes);
	free(s);
}

/* The line of the config where NAME is given; 0: it is not. */
static long
find_line(const struct settings *s, const char *name)
{
	char *quoted = memory_format("\"%s\"", name);
	const char *found = s->bytes;
	long line = 0;

	while ((found = strstr(found, quoted)) != NULL) {
		const char *behind = found + strlen(quoted);

		behind += strspn(behind, " \t\r\n");
		if (*behind == ':')
			break;
		found++;
	}
	if (found)
		for (line = 1; found > s->bytes; found--)
			line += found[-1] == '\n';
	free(quoted);
	return line;
}

void
settings_fault(struct settings *s, const char *name, const char *fmt, ...)
{
	va_list ap;
	char *what, *text;

	va_start(ap, fmt);
	if (vasprintf(&what, fmt, ap) < 0)
		memory_exhausted();
	va_end(ap);
	text = memory_format("%s: %s", name, what);
	if (s->e->text && strstr(s->e->text, text)) /* several readers may ask for one setting */
		;
	else if (!s->path || json_object_object_get_ex(s->over, name, NULL))
		error_add(s->e, EX_USAGE, NULL, 0, "%s", text);
	else
		error_add(s->e, EX_DATAERR, s->path, find_line(s, name), "%s", text);
	free(what);
	free(text);
}

char *
settings_unknown(const struct settings *s)
{
	char *text = NULL;

	json_object_object_foreach(s->config, name, value) {
		const char *nearest = field_nearest(&s->fields, name);
		char *longer;

		(void)value;
		if (field_find(&s->fields, name))
			continue;
		longer = memory_format("%s%s%s:%ld: no field %s, which is ignored%s%s", text ? text : "", text ? "\n" : "", s->path,
		    find_line(s, name), name, nearest ? "; there is " : "", nearest ? nearest : "");
		free(text);
		text = longer;
	}
	return text;
}

static struct json_object *
value_of(const struct settings *s, const char *name)
{
	struct json_object *value;

	if (json_object_object_get_ex(s->config, name, &value) || json_object_object_get_ex(s->defaults, name, &value))
		return value;
	return NULL;
}

bool
settings_is_given(const struct settings *s, const char *name)
{
	return json_object_object_get_ex(s->config, name, NULL);
}

bool
settings_is_null(const struct settings *s, const char *name)
{
	return value_of(s, name) == NULL;
}

static const char *
show(struct json_object *value)
{
	return json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
}

double
settings_number(struct settings *s, const char *name, double low, double high)
{
	struct json_object *value = value_of(s, name);
	bool is_number = json_object_is_type(value, json_type_double) || json_object_is_type(value, json_type_int);
	double number = is_number ? json_object_get_double(value) : NAN;

	if (number >= low && number <= high)
		return number;
	settings_fault(s, name, "%s; expected a number from %g to %g", show(value), low, high);
	return low;
}

long
settings_integer(struct settings *s, const char *name, long low, long high)
{
	struct json_object *value = value_of(s, name);

	if (json_object_is_type(value, json_type_int) && json_object_get_int64(value) >= low &&
	    json_object_get_int64(value) <= high)
		return (long)json_object_get_int64(value);
	settings_fault(s, name, "%s; expected a whole number from %ld to %ld", show(value), low, high);
	return low;
}

bool
settings_bool(struct settings *s, const char *name, bool otherwise)
{
	struct json_object *value = value_of(s, name);

	if (json_object_is_type(value, json_type_boolean))
		return json_object_get_boolean(value);
	if (value)
		settings_fault(s, name, "%s; expected true or false", show(value));
	return otherwise;
}

const char *
settings_text(struct settings *s, const char *name)
{
	struct json_object *value = value_of(s, name);

	if (json_object_is_type(value, json_type_string))
		return json_object_get_string(value);
	if (json_object_is_type(value, json_type_int) || json_object_is_type(value, json_type_double))
		return json_object_to_json_string(value);
	settings_fault(s, name, "%s; expected text", show(value));
	return "";
}

int
settings_choice(struct settings *s, const char *name, const char *const *choices)
{
	const char *text = settings_text(s, name);
	char *expected = memory_string(choices[0]), *longer;

	for (int i = 0; choices[i]; i++) {
		if (strcmp(text, choices[i]) == 0) {
			free(expected);
			return i;
		}
		longer = i ? memory_format("%s, %s", expected, choices[i]) : memory_string(expected);
		free(expected);
		expected = longer;
	}
	if (*text)
		settings_fault(s, name, "\"%s\"; expected one of %s", text, expected);
	free(expected);
	return 0;
}
