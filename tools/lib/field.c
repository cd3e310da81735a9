#include "field.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "file.h"
#include "installation.h"
#include "json.h"
#include "memory.h"
#include "number.h"
#include "spelling.h"

#define REJECTED "REJECTED: "

static const char *const type_names[] = {
	[FIELD_INT] = "int", [FIELD_FLOAT] = "float", [FIELD_BOOL] = "bool", [FIELD_STRING] = "string", [FIELD_WORDS] = "words",
};

static void
free_field(struct field *field)
{
	free(field->name);
	free(field->otherwise);
	free(field->allowed);
	free(field->note);
}

void
field_table_free(struct field_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free_field(&table->list[i]);
	free(table->list);
	table->list = NULL;
	table->count = 0;
}

const struct field *
field_find(const struct field_table *table, const char *name)
{
	for (size_t i = 0; i < table->count; i++)
		if (strcmp(table->list[i].name, name) == 0)
			return &table->list[i];
	return NULL;
}

const char *
field_nearest(const struct field_table *table, const char *name)
{
	const char **names = memory_alloc(table->count, sizeof *names), *nearest;
	size_t n = 0;

	for (size_t i = 0; i < table->count; i++)
		if (!table->list[i].refused)
			names[n++] = table->list[i].name;
	nearest = spelling_nearest(name, names, n);
	free(names);
	return nearest;
}

/* Puts FIELD, whose texts it takes, in the place of the one of the same name, or at the end. */
static void
set_field(struct field_table *table, struct field field)
{
	size_t i;

	for (i = 0; i < table->count && strcmp(table->list[i].name, field.name) != 0; i++)
		;
	if (i < table->count) {
		free_field(&table->list[i]);
	} else {
		table->list = memory_resize(table->list, i + 1, sizeof *table->list);
		table->count++;
	}
	table->list[i] = field;
}

static bool
parse_type(const char *text, struct field *field)
{
	size_t n = strcspn(text, "?");

	field->is_nullable = strcmp(text + n, "?") == 0;
	for (size_t i = 0; i < sizeof type_names / sizeof *type_names; i++) {
		if (strlen(type_names[i]) != n || strncmp(text, type_names[i], n) != 0)
			continue;
		field->type = (enum field_type)i;
		return text[n] == '\0' || field->is_nullable;
	}
	return false;
}

static int
parse_row(struct field_table *table, char *row, const char *path, long line, struct error *e)
{
	enum { NAME, TYPE, OTHERWISE, ALLOWED, FLAG, NOTE, COLUMNS };
	char *columns[COLUMNS];
	struct field field = { .name = NULL };

	for (int i = 0; i < COLUMNS; i++) {
		columns[i] = strsep(&row, "\t");
		if (!columns[i] && i <= OTHERWISE)
			return error_add(e, EX_CONFIG, path, line,
			    "expected at least field, type and default, with tabs between them");
	}
	if (!parse_type(columns[TYPE], &field))
		return error_add(e, EX_CONFIG, path, line,
		    "the type '%s' is not known; expected int, float, bool, string or words, with or without a ? behind it",
		    columns[TYPE]);
	field.name = memory_string(columns[NAME]);
	field.otherwise = memory_string(columns[OTHERWISE]);
	field.allowed = memory_string(columns[ALLOWED] ? columns[ALLOWED] : "");
	field.note = memory_string(columns[NOTE] ? columns[NOTE] : "");
	if (strncmp(field.note, REJECTED, strlen(REJECTED)) == 0)
		field.refused = field.note + strlen(REJECTED);
	set_field(table, field);
	return 0;
}

static int
read_table(struct field_table *table, const char *path, struct error *e)
{
	static const char header[] = "field\t";
	size_t size;
	char *bytes = file_read(path, &size, e), *rest = bytes, *row;
	int status = bytes ? 0 : -1;

	for (long line = 1; status == 0 && (row = strsep(&rest, "\n")) != NULL; line++)
		if (*row && *row != '#' && strncmp(row, header, strlen(header)) != 0)
			status = parse_row(table, row, path, line, e);
	free(bytes);
	return status;
}

/* Trials of a real service do not run side by side unless the config lets them; these two know better. */
static bool
shares_its_host(const char *harness)
{
	return strcmp(harness, "sim") != 0 && strcmp(harness, "sangam") != 0;
}

int
field_table_read(const char *harness, struct field_table *table, struct error *e)
{
	char *path = installation_share("benchmark_fields.tsv");
	int status;

	memset(table, 0, sizeof *table);
	status = read_table(table, path, e);
	free(path);
	if (status == 0 && harness && shares_its_host(harness))
		set_field(table, (struct field){ .name = memory_string("exclusive"), .type = FIELD_BOOL,
		    .otherwise = memory_string("true"), .allowed = memory_string(""), .note = memory_string("") });
	path = status == 0 && harness ? installation_harness(harness, ".tsv") : NULL;
	if (path)
		status = read_table(table, path, e);
	free(path);
	if (status < 0)
		field_table_free(table);
	return status;
}

struct json_object *
field_default(const struct field *field)
{
	long integer;
	double number;

	if (field->is_nullable && strcmp(field->otherwise, "null") == 0)
		return NULL;
	switch (field->type) {
	case FIELD_BOOL:
		return json_object_new_boolean(strcmp(field->otherwise, "true") == 0);
	case FIELD_INT:
		return json_object_new_int64(number_parse_integer(field->otherwise, INT32_MIN, INT32_MAX, &integer) ? integer : 0);
	case FIELD_FLOAT:
		return json_number(number_parse(field->otherwise, &number) ? number : 0);
	default:
		return json_object_new_string(field->otherwise);
	}
}

/* Whether TEXT is one of the WORDS, which have spaces between them. */
static bool
is_allowed(const char *words, const char *text)
{
	size_t length = strlen(text), n;

	for (const char *word = words; *word; word += n + (word[n] == ' ')) {
		n = strcspn(word, " ");
		if (n == length && strncmp(word, text, n) == 0)
			return true;
	}
	return *words == '\0';
}

/* Text, or a list of texts; NULL if VALUE is neither. */
static struct json_object *
convert_words(const struct node *value)
{
	struct json_object *words = json_object_new_array();
	char *text = node_text(value);
	bool is_list = value->kind == NODE_LIST && value->count > 0;

	for (size_t i = 0; is_list && i < value->count; i++) {
		char *word = node_text(value->members[i].value);

		is_list = word != NULL;
		json_object_array_add(words, json_text_or_null(word));
		free(word);
	}
	if (!is_list) {
		json_object_put(words);
		words = text ? json_object_new_string(text) : NULL;
	}
	free(text);
	return words;
}

/* VALUE by the type alone; false if it is of another. */
static bool
convert(const struct field *field, const struct node *value, struct json_object **json)
{
	double number;
	char *text;
	long integer;

	switch (field->type) {
	case FIELD_BOOL:
		*json = value->kind == NODE_BOOL ? node_to_json(value) : NULL;
		break;
	case FIELD_INT:
		*json = node_integer(value, &integer) ? json_object_new_int64(integer) : NULL;
		break;
	case FIELD_FLOAT:
		*json = !node_number(value, &number) ? NULL
		    : value->kind == NODE_INT ? node_to_json(value) : json_number(number);
		break;
	case FIELD_STRING:
		text = node_text(value);
		*json = text && is_allowed(field->allowed, text) ? json_object_new_string(text) : NULL;
		free(text);
		break;
	case FIELD_WORDS:
		*json = convert_words(value);
		break;
	}
	return *json != NULL;
}

static char *
describe_type(const struct field *field)
{
	static const char *const texts[] = {
		[FIELD_INT] = "a whole number", [FIELD_FLOAT] = "a finite number",
		[FIELD_BOOL] = "true or false", [FIELD_STRING] = "text, in quotes if need be",
		[FIELD_WORDS] = "text, or a list of texts, in quotes if need be",
	};
	const char *or_null = field->is_nullable ? " or null" : "";

	if (*field->allowed)
		return memory_format("one of: %s%s", field->allowed, or_null);
	return memory_format("%s%s", texts[field->type], or_null);
}

int
field_convert(const struct field *field, const struct node *value, const char *where, struct faults *faults,
    struct json_object **json)
{
	char *found, *expected;

	*json = NULL;
	if (value->kind == NODE_FAULTY)
		return -1;
	if ((value->kind == NODE_NULL && field->is_nullable) || convert(field, value, json))
		return 0;
	found = node_describe(value);
	expected = describe_type(field);
	fault_add(faults, value->line, "%s%s is %s; expected %s", where, field->name, found, expected);
	free(found);
	free(expected);
	return -1;
}
