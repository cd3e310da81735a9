#include "document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <yaml.h>

#include "anchor.h"
#include "json.h"
#include "memory.h"
#include "scalar.h"
#include "surrogate.h"

struct reader {
	yaml_parser_t parser;
	const char *bytes;
	struct faults *faults;
	size_t nodes;               /* so far, aliases expanded */
	int level;
	struct anchors anchors;
};

/* Reads EVENT's node and deletes EVENT. NULL, after a fault, when nothing can be read beyond it. */
static struct node *read_node(struct reader *r, yaml_event_t *event);

static long
line_of(const yaml_event_t *event)
{
	return (long)event->start_mark.line + 1;
}

static bool
report_syntax(struct reader *r)
{
	const yaml_parser_t *p = &r->parser;
	long line = (long)p->problem_mark.line + 1;

	if (p->error == YAML_MEMORY_ERROR)
		memory_exhausted();
	if (p->error == YAML_READER_ERROR) { /* has an offset, no line */
		line = 1;
		for (size_t i = 0; i < p->problem_offset && i < DOCUMENT_SIZE_MAX; i++)
			line += r->bytes[i] == '\n';
		fault_add(r->faults, line, "not YAML: %s (0x%02X)", p->problem, (unsigned)p->problem_value);
	} else if (p->context) {
		fault_add(r->faults, line, "not YAML: %s on line %zu, %s", p->context, p->context_mark.line + 1, p->problem);
	} else {
		fault_add(r->faults, line, "not YAML: %s", p->problem);
	}
	return false;
}

static bool
next_event(struct reader *r, yaml_event_t *event)
{
	if (fault_is_full(r->faults))
		return false;
	return yaml_parser_parse(&r->parser, event) || report_syntax(r);
}

/* Counts NUM more nodes. False if they are too many. */
static bool
count_nodes(struct reader *r, size_t num, long line)
{
	r->nodes += num;
	if (r->nodes <= DOCUMENT_NODES_MAX)
		return true;
	fault_add(r->faults, line, "more than %d values, aliases expanded, are too many for a config", DOCUMENT_NODES_MAX);
	return false;
}

static bool
check_levels(struct reader *r, int levels, long line)
{
	if (levels <= DOCUMENT_LEVELS_MAX)
		return true;
	fault_add(r->faults, line, "lists and mappings are more than %d levels deep, aliases expanded",
	    DOCUMENT_LEVELS_MAX);
	return false;
}

static struct node *
read_alias(struct reader *r, const yaml_event_t *event)
{
	const char *name = (const char *)event->data.alias.anchor;
	char quoted[FAULT_QUOTE_MAX];
	struct node *node;

	if (!anchors_find(&r->anchors, name, &node)) {
		fault_add(r->faults, line_of(event), "no anchor %s stands before this alias", fault_quote(name, quoted));
		return node_new(NODE_FAULTY, line_of(event));
	}
	if (!node) {
		fault_add(r->faults, line_of(event), "the alias %s is inside what it stands for", fault_quote(name, quoted));
		return NULL;
	}
	if (!count_nodes(r, node->weight, line_of(event)) ||
	    !check_levels(r, r->level + node->height, line_of(event)))
		return NULL;
	return node_ref(node);
}

/* What a scalar is by its style or its tag; false if it cannot be that. */
static bool
resolve(const yaml_event_t *event, struct scalar *scalar)
{
	const char *text = (const char *)event->data.scalar.value, *tag = (const char *)event->data.scalar.tag;

	*scalar = (struct scalar){ .kind = SCALAR_TEXT };
	if (event->data.scalar.plain_implicit)
		*scalar = scalar_resolve(text);
	return event->data.scalar.plain_implicit || event->data.scalar.quoted_implicit ||
	    (tag && scalar_resolve_tagged(tag, text, scalar));
}

static struct json_object *
json_of(const struct scalar *scalar, const char *text)
{
	struct json_object *number;

	switch (scalar->kind) {
	case SCALAR_NULL:
		return NULL;
	case SCALAR_BOOL:
		return json_object_new_boolean(scalar->truth);
	case SCALAR_INT:
		return json_object_new_int64(scalar->integer);
	case SCALAR_FLOAT:
		number = json_number(scalar->number);
		return number ? number : json_object_new_double(scalar->number);
	default:
		return json_object_new_string(text);
	}
}

static struct node *
read_scalar(struct reader *r, const yaml_event_t *event)
{
	static const enum node_kind kinds[] = {
		[SCALAR_TEXT] = NODE_TEXT, [SCALAR_NULL] = NODE_NULL, [SCALAR_BOOL] = NODE_BOOL, [SCALAR_INT] = NODE_INT,
		[SCALAR_FLOAT] = NODE_FLOAT, [SCALAR_TOO_LARGE] = NODE_FAULTY, [SCALAR_NO_DIGITS] = NODE_FAULTY,
	};
	const char *text = (const char *)event->data.scalar.value;
	const char *tag = (const char *)event->data.scalar.tag;
	char quoted[FAULT_QUOTE_MAX], quoted_tag[FAULT_QUOTE_MAX];
	long line = line_of(event);
	struct scalar scalar;
	struct node *node = node_new(NODE_FAULTY, line);

	node->text = memory_string(text);
	if (strlen(text) != event->data.scalar.length) {
		fault_add(r->faults, line, "the text %s has a NUL behind it; no text here can hold one", fault_quote(text, quoted));
		return node;
	}
	if (!resolve(event, &scalar)) {
		fault_add(r->faults, line, "%s cannot be a %s", fault_quote(text, quoted), fault_quote(tag ? tag : "!", quoted_tag));
		return node;
	}
	if (scalar.kind == SCALAR_TOO_LARGE)
		fault_add(r->faults, line, "%s is an integer beyond 64 bits; with a point it would be a float", fault_quote(text, quoted));
	if (scalar.kind == SCALAR_NO_DIGITS)
		fault_add(r->faults, line, "%s is a number without digits; put it in quotes if it is text", fault_quote(text, quoted));
	node->kind = kinds[scalar.kind];
	node->scalar = json_of(&scalar, text);
	return node;
}

/* Whether a list's or mapping's TAG is the one of its kind. */
static bool
check_tag(struct reader *r, const yaml_char_t *tag, const char *expected, long line)
{
	char quoted[FAULT_QUOTE_MAX];

	if (!tag || strcmp((const char *)tag, "!") == 0 || strcmp((const char *)tag, expected) == 0)
		return true;
	fault_add(r->faults, line, "the tag %s is not known here; expected none", fault_quote((const char *)tag, quoted));
	return false;
}

static struct node *
read_list(struct reader *r, const yaml_event_t *start)
{
	struct node *list = node_new(NODE_LIST, line_of(start)), *item;
	yaml_event_t event;

	while (next_event(r, &event)) {
		if (event.type == YAML_SEQUENCE_END_EVENT) {
			yaml_event_delete(&event);
			return list;
		}
		item = read_node(r, &event);
		if (!item)
			break;
		node_append(list, item);
	}
	node_put(list);
	return NULL;
}

/* Copies the members of MAP into *MERGED, over what is there. */
static void
copy_members(const struct node *map, struct node *merged)
{
	for (size_t i = 0; i < map->count; i++)
		node_set(merged, map->members[i].key, map->members[i].line, node_ref(map->members[i].value));
}

/* What << stands for: VALUE's members, or those of a list of mappings, of which the first one wins. */
static struct node *
merge_of(struct reader *r, const struct node *value, long line)
{
	struct node *merged = node_new(NODE_MAP, line);
	bool good = value->kind == NODE_MAP || value->kind == NODE_LIST || value->kind == NODE_FAULTY;

	if (value->kind == NODE_MAP)
		copy_members(value, merged);
	for (size_t i = value->kind == NODE_LIST ? value->count : 0; i-- > 0;) {
		if (value->members[i].value->kind == NODE_MAP)
			copy_members(value->members[i].value, merged);
		else
			good = false;
	}
	if (!good)
		fault_add(r->faults, line, "<< merges mappings; expected a mapping or a list of mappings");
	return merged;
}

static bool
is_merge_key(const yaml_event_t *event)
{
	return event->type == YAML_SCALAR_EVENT && event->data.scalar.plain_implicit &&
	    strcmp((const char *)event->data.scalar.value, "<<") == 0;
}

/* Adds KEY's VALUE, which it takes, to MAP; not where the key is none or there already. */
static void
add_member(struct reader *r, struct node *map, const struct node *key, long line, struct node *value)
{
	const struct node_member *there = key->kind == NODE_TEXT ? node_member(map, key->text) : NULL;
	char quoted[FAULT_QUOTE_MAX];
	char *found;

	if (key->kind == NODE_TEXT && !there) {
		node_set(map, key->text, line, value);
		return;
	}
	if (there) {
		fault_add(r->faults, line, "the key %s stands a second time; it is on line %ld too",
		    fault_quote(key->text, quoted), there->line);
	} else if (key->kind != NODE_FAULTY) {
		found = node_describe(key);
		fault_add(r->faults, line, "a key is %s; expected text, in quotes if need be", found);
		free(found);
	}
	node_put(value);
}

/* Reads one member, which begins with EVENT, into MAP, or into *MERGED if it is <<. */
static bool
read_member(struct reader *r, yaml_event_t *event, struct node *map, struct node **merged)
{
	bool is_merge = is_merge_key(event);
	long line = line_of(event);
	struct node *key = read_node(r, event), *value = NULL;

	if (key && next_event(r, event))
		value = read_node(r, event);
	if (value && is_merge && *merged)
		fault_add(r->faults, line, "the key << stands a second time; expected << with a list");
	if (value && !is_merge)
		add_member(r, map, key, line, node_ref(value));
	else if (value && !*merged)
		*merged = merge_of(r, value, line);
	node_put(key);
	node_put(value);
	return value != NULL;
}

static struct node *
read_map(struct reader *r, const yaml_event_t *start)
{
	struct node *map = node_new(NODE_MAP, line_of(start)), *merged = NULL;
	yaml_event_t event;

	while (next_event(r, &event)) {
		if (event.type == YAML_MAPPING_END_EVENT) {
			yaml_event_delete(&event);
			if (!merged)
				return map;
			copy_members(map, merged);
			merged->line = map->line;
			node_put(map);
			return merged;
		}
		if (!read_member(r, &event, map, &merged))
			break;
	}
	node_put(map);
	node_put(merged);
	return NULL;
}

static struct node *
read_collection(struct reader *r, const yaml_event_t *event)
{
	bool is_list = event->type == YAML_SEQUENCE_START_EVENT;
	const yaml_char_t *tag = is_list ? event->data.sequence_start.tag : event->data.mapping_start.tag;
	struct node *node;

	if (!check_levels(r, r->level + 1, line_of(event)) ||
	    !check_tag(r, tag, is_list ? SCALAR_TAG_PREFIX "seq" : SCALAR_TAG_PREFIX "map", line_of(event)))
		return NULL;
	r->level++;
	node = is_list ? read_list(r, event) : read_map(r, event);
	r->level--;
	return node;
}

static const char *
anchor_of(const yaml_event_t *event)
{
	const yaml_char_t *anchor = event->type == YAML_SCALAR_EVENT ? event->data.scalar.anchor
	    : event->type == YAML_SEQUENCE_START_EVENT ? event->data.sequence_start.anchor
	    : event->data.mapping_start.anchor;

	return (const char *)anchor;
}

/* A node that is no alias, and its anchor. */
static struct node *
read_anchored(struct reader *r, const yaml_event_t *event)
{
	const char *anchor = anchor_of(event);
	char quoted[FAULT_QUOTE_MAX];
	struct node *node;
	size_t position = 0;

	if (!count_nodes(r, 1, line_of(event)))
		return NULL;
	if (anchor && !anchors_open(&r->anchors, anchor, &position)) {
		fault_add(r->faults, line_of(event), "the anchor %s stands in the document already", fault_quote(anchor, quoted));
		return NULL;
	}
	node = event->type == YAML_SCALAR_EVENT ? read_scalar(r, event) : read_collection(r, event);
	if (anchor && node)
		anchors_close(&r->anchors, position, node);
	return node;
}

static struct node *
read_node(struct reader *r, yaml_event_t *event)
{
	struct node *node = event->type == YAML_ALIAS_EVENT ? read_alias(r, event) : read_anchored(r, event);

	yaml_event_delete(event);
	return node;
}

/* The one document of the stream. */
static struct node *
read_stream(struct reader *r)
{
	struct node *root = NULL;
	yaml_event_t event;

	while (next_event(r, &event)) {
		switch (event.type) {
		case YAML_STREAM_END_EVENT:
			yaml_event_delete(&event);
			if (!root)
				fault_add(r->faults, 1, "there is nothing in it; expected benchmark_base and jobs");
			return root;
		case YAML_DOCUMENT_START_EVENT:
			if (root)
				fault_add(r->faults, line_of(&event), "a second document begins here; expected one");
			/* fall through */
		case YAML_STREAM_START_EVENT:
		case YAML_DOCUMENT_END_EVENT:
			break;
		default:
			if (root) {
				yaml_event_delete(&event);
				return root;
			}
			root = read_node(r, &event);
			if (!root)
				return NULL;
			continue;
		}
		yaml_event_delete(&event);
	}
	node_put(root);
	return NULL;
}

struct node *
document_parse(char *bytes, size_t size, struct faults *faults)
{
	struct reader r = { .bytes = bytes, .faults = faults };
	struct node *root;

	if (size > DOCUMENT_SIZE_MAX) {
		fault_add(faults, 0, "more than %d bytes are too many for a config", DOCUMENT_SIZE_MAX);
		return NULL;
	}
	size = surrogate_join_json(bytes, size);
	if (!yaml_parser_initialize(&r.parser))
		memory_exhausted();
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)bytes, size);
	anchors_init(&r.anchors);
	root = read_stream(&r);
	anchors_free(&r.anchors);
	yaml_parser_delete(&r.parser);
	return root;
}

struct node *
document_read(const char *path, struct faults *faults)
{
	char *bytes = memory_alloc(DOCUMENT_SIZE_MAX + 2, 1);
	struct node *root = NULL;
	FILE *f = fopen(path, "re");
	size_t size;

	if (!f) {
		error_add_errno(faults->error, EX_NOINPUT, path, "cannot open");
	} else {
		size = fread(bytes, 1, DOCUMENT_SIZE_MAX + 1, f); /* one more than will do shows that there is more */
		if (ferror(f))
			error_add_errno(faults->error, EX_IOERR, path, "cannot read");
		else
			root = document_parse(bytes, size, faults);
		fclose(f);
	}
	free(bytes);
	return root;
}
