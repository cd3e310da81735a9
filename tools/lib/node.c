#include "node.h"

#include <ctype.h>
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fault.h"
#include "memory.h"
#include "number.h"

struct node *
node_new(enum node_kind kind, long line)
{
	struct node *node = memory_alloc(1, sizeof *node);

	node->kind = kind;
	node->line = line;
	node->references = 1;
	node->weight = 1;
	node->height = kind == NODE_LIST || kind == NODE_MAP;
	return node;
}

struct node *
node_ref(struct node *node)
{
	node->references++;
	return node;
}

void
node_put(struct node *node)
{
	if (!node || --node->references > 0)
		return;
	for (size_t i = 0; i < node->count; i++) {
		free(node->members[i].key);
		node_put(node->members[i].value);
	}
	free(node->members);
	free(node->text);
	json_object_put(node->scalar);
	json_object_put(node->index);
	free(node);
}

static struct node_member *
add_member(struct node *node, struct node *value)
{
	if (!node->members || (node->count & (node->count - 1)) == 0) /* room doubles at each power of two */
		node->members = memory_resize(node->members, node->count ? 2 * node->count : 1, sizeof *node->members);
	node->members[node->count] = (struct node_member){ .value = value };
	node->weight += value->weight;
	if (value->height >= node->height)
		node->height = value->height + 1;
	return &node->members[node->count++];
}

void
node_append(struct node *list, struct node *value)
{
	add_member(list, value);
}

void
node_set(struct node *map, const char *key, long line, struct node *value)
{
	struct node_member *member = node_member(map, key);

	if (member) {
		node_put(member->value);
		member->value = value;
		member->line = line;
		if (value->height >= map->height)
			map->height = value->height + 1;
		return;
	}
	if (!map->index)
		map->index = json_object_new_object();
	json_object_object_add(map->index, key, json_object_new_int64((int64_t)map->count));
	member = add_member(map, value);
	member->key = memory_string(key);
	member->line = line;
	map->weight++;
}

static void
copy_members(const struct node *from, struct node *map)
{
	for (size_t i = 0; i < from->count; i++)
		node_set(map, from->members[i].key, from->members[i].line, node_ref(from->members[i].value));
}

bool
node_merge(struct node *map, const struct node *value)
{
	bool good = value->kind == NODE_MAP || value->kind == NODE_LIST || value->kind == NODE_FAULTY;

	if (value->kind == NODE_MAP)
		copy_members(value, map);
	for (size_t i = value->kind == NODE_LIST ? value->count : 0; i-- > 0;) {
		if (value->members[i].value->kind == NODE_MAP)
			copy_members(value->members[i].value, map);
		else
			good = false;
	}
	return good;
}

struct node_member *
node_member(const struct node *map, const char *key)
{
	struct json_object *position;

	if (!map || !map->index || !json_object_object_get_ex(map->index, key, &position))
		return NULL;
	return &map->members[json_object_get_int64(position)];
}

struct node *
node_get(const struct node *map, const char *key)
{
	struct node_member *member = node_member(map, key);

	return member && member->value->kind != NODE_NULL ? member->value : NULL;
}

struct json_object *
node_to_json(const struct node *node)
{
	struct json_object *json;

	if (node->kind == NODE_LIST) {
		json = json_object_new_array_ext((int)node->count);
		for (size_t i = 0; i < node->count; i++)
			json_object_array_add(json, node_to_json(node->members[i].value));
		return json;
	}
	if (node->kind == NODE_MAP) {
		json = json_object_new_object();
		for (size_t i = 0; i < node->count; i++)
			json_object_object_add(json, node->members[i].key, node_to_json(node->members[i].value));
		return json;
	}
	return json_object_get(node->scalar);
}

/* Whether TEXT starts with a zero that other digits follow. */
static bool
has_leading_zero(const char *text)
{
	text += (*text == '+' || *text == '-');
	return text[0] == '0' && isdigit((unsigned char)text[1]);
}

bool
node_number(const struct node *node, double *value)
{
	if (node->kind == NODE_TEXT)
		return !has_leading_zero(node->text) && number_parse(node->text, value);
	if (node->kind != NODE_INT && node->kind != NODE_FLOAT)
		return false;
	if (!isfinite(json_object_get_double(node->scalar)))
		return false;
	*value = json_object_get_double(node->scalar);
	return true;
}

bool
node_integer(const struct node *node, long *value)
{
	const double limit = 9007199254740992; /* 2^53: below it every whole double stands for itself alone */
	double number;

	if (node->kind == NODE_INT) {
		*value = (long)json_object_get_int64(node->scalar);
		return true;
	}
	if (!node_number(node, &number) || number != floor(number) || fabs(number) > limit)
		return false;
	*value = (long)number;
	return true;
}

char *
node_text(const struct node *node)
{
	char text[NUMBER_TEXT_MAX];
	double value, written;

	if (node->kind == NODE_TEXT)
		return memory_string(node->text);
	if (!node_number(node, &value) || !number_parse(node->text, &written) || written != value)
		return NULL;
	return memory_string(node->kind == NODE_INT ? json_object_get_string(node->scalar) : number_repr(value, text));
}

char *
node_describe(const struct node *node)
{
	char quoted[FAULT_QUOTE_MAX];

	switch (node->kind) {
	case NODE_LIST:
		return memory_string(node->count ? "a list" : "an empty list");
	case NODE_MAP:
		return memory_string(node->count ? "a mapping" : "an empty mapping");
	case NODE_NULL:
		return memory_string("nothing (null)");
	case NODE_BOOL:
		return memory_format("%s, a yes or no", fault_quote(node->text, quoted));
	case NODE_TEXT:
		return memory_format("the text %s", fault_quote(node->text, quoted));
	default:
		return memory_format("%.40s", node->text);
	}
}
