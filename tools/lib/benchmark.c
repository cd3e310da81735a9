#include "benchmark.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "entry.h"
#include "installation.h"
#include "json.h"
#include "memory.h"
#include "spelling.h"

/* Fields that the search itself reads, so that their types count for every harness. */
static const char *const own_fields[] = { "benchmark_timeout", "num_requests", "launch_server", NULL };

struct names {
	char **list;
	size_t count;
};

static bool
is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

static void
add_names(struct names *names, const char *directory)
{
	DIR *d = opendir(directory);
	struct dirent *entry;

	while (d && (entry = readdir(d)) != NULL) {
		char *path = memory_format("%s/%s", directory, entry->d_name);

		if (is_program(path)) {
			names->list = memory_resize(names->list, names->count + 1, sizeof *names->list);
			names->list[names->count++] = memory_string(entry->d_name);
		}
		free(path);
	}
	if (d)
		closedir(d);
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The harnesses that there are, sorted; a name may be there twice. */
static struct names
list_names(void)
{
	const char *search = getenv("CS_HARNESS_PATH");
	char *copy = memory_string(search ? search : ""), *rest = copy, *directory;
	char *own = installation_share("harness");
	struct names names = { NULL, 0 };

	while ((directory = strsep(&rest, ":")) != NULL)
		if (*directory)
			add_names(&names, directory);
	add_names(&names, own);
	free(own);
	free(copy);
	if (names.count > 0)
		qsort(names.list, names.count, sizeof *names.list, compare_names);
	return names;
}

static int
report_unknown(const char *name, long line, struct faults *faults)
{
	struct names names = list_names();
	const char *nearest = spelling_nearest(name, (const char *const *)names.list, names.count);
	char quoted[FAULT_QUOTE_MAX], *known = memory_string("");

	for (size_t i = 0; i < names.count; i++) {
		char *longer = memory_format("%s%s%s", known, *known ? ", " : "", names.list[i]);

		free(known);
		known = longer;
	}
	fault_add(faults, line, "there is no harness %s; expected one of: %s (the nearest: %s), or a command",
	    fault_quote(name, quoted), known, nearest ? nearest : "none");
	for (size_t i = 0; i < names.count; i++)
		free(names.list[i]);
	free(names.list);
	free(known);
	return -1;
}

/* Whether NAME is that of a file, without a directory, and it is a program. */
static bool
exists(const char *name)
{
	char *path = *name && *name != '.' && !strchr(name, '/') ? installation_harness(name, "") : NULL;
	bool is = path && is_program(path);

	free(path);
	return is;
}

int
benchmark_init(struct benchmark *b, const char *name, long line, struct faults *faults)
{
	memset(b, 0, sizeof *b);
	if (!exists(name))
		return report_unknown(name, line, faults);
	if (field_table_read(name, &b->fields, faults->error) < 0)
		return -1;
	b->written = json_object_new_string(name);
	b->harness = json_object_get(b->written);
	return 0;
}

static int
init_command(struct benchmark *b, const struct node *node, struct faults *faults)
{
	static const char *const known[] = { "command", NULL };
	static const char expected[] = "a list: a program and its arguments, as text";
	const struct node *command = node_get(node, "command");
	struct json_object *argv = json_object_new_array();
	size_t count = faults->count;

	entry_check_keys(node, "harness: ", known, NULL, faults);
	if (!command)
		fault_add(faults, node->line, "harness: command is missing; expected %s", expected);
	else if (command->kind != NODE_LIST || command->count == 0)
		entry_fault(command, "harness: ", "command", expected, faults);
	for (size_t i = 0; command && command->kind == NODE_LIST && i < command->count; i++) {
		const struct node *word = command->members[i].value;
		char *text = node_text(word);

		if (!text || (i == 0 && !*text))
			entry_fault(word, "harness: ", i == 0 ? "the program of command" : "an argument of command",
			    "text, in quotes if need be", faults);
		json_object_array_add(argv, json_text_or_null(text));
		free(text);
	}
	b->harness = json_object_new_object();
	json_object_object_add(b->harness, "command", argv);
	b->written = node_to_json(node);
	b->takes_any = true;
	if (faults->count == count && field_table_read(NULL, &b->fields, faults->error) == 0)
		return 0;
	benchmark_free(b);
	return -1;
}

int
benchmark_init_node(struct benchmark *b, const struct node *node, struct faults *faults)
{
	memset(b, 0, sizeof *b);
	if (node->kind == NODE_TEXT)
		return benchmark_init(b, node->text, node->line, faults);
	if (node->kind == NODE_MAP)
		return init_command(b, node, faults);
	return entry_fault(node, "", "harness", "a name, or {command: [PROGRAM, ARGUMENT...]}", faults);
}

void
benchmark_free(struct benchmark *b)
{
	json_object_put(b->written);
	json_object_put(b->harness);
	field_table_free(&b->fields);
	memset(b, 0, sizeof *b);
}

static int
check_finite(const struct node *node, const char *where, const char *key, struct faults *faults)
{
	int status = node->kind == NODE_FAULTY ? -1 : 0;

	for (size_t i = 0; i < node->count; i++)
		if (check_finite(node->members[i].value, where, key, faults) < 0)
			status = -1;
	if (node->kind == NODE_FLOAT && !isfinite(json_object_get_double(node->scalar)))
		status = entry_fault(node, where, key, "finite numbers", faults);
	return status;
}

static bool
is_own_field(const char *name)
{
	for (const char *const *own = own_fields; *own; own++)
		if (strcmp(name, *own) == 0)
			return true;
	return false;
}

/* One field's value as JSON, which may be null. */
static int
convert(const struct benchmark *b, const struct node_member *member, const char *where, struct faults *faults,
    struct json_object **json)
{
	const struct field *field = field_find(&b->fields, member->key);
	char quoted[FAULT_QUOTE_MAX];

	if (b->takes_any && !is_own_field(member->key)) {
		*json = node_to_json(member->value);
		return check_finite(member->value, where, member->key, faults);
	}
	if (!field)
		return fault_add(faults, member->line, "%sharness %s has no field %s; the nearest it has: %s", where,
		    json_object_get_string(b->harness), fault_quote(member->key, quoted),
		    field_nearest(&b->fields, member->key));
	if (field->refused)
		return fault_add(faults, member->line, "%s%s cannot be set: %s", where, field->name, field->refused);
	return field_convert(field, member->value, where, faults, json);
}

int
benchmark_add(const struct benchmark *b, const struct node *map, const char *where, struct json_object *reported,
    struct faults *faults, struct json_object *config)
{
	int status = 0;

	for (size_t i = 0; i < map->count; i++) {
		const struct node_member *member = &map->members[i];
		struct json_object *json = NULL;

		if (reported && json_object_object_get_ex(reported, member->key, NULL))
			continue;
		if (convert(b, member, where, faults, &json) == 0) {
			json_object_object_add(config, member->key, json);
			continue;
		}
		status = -1;
		json_object_put(json);
		if (reported)
			json_object_object_add(reported, member->key, NULL);
	}
	return status;
}
