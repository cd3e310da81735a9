#include "document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "anchor.h"
#include "events.h"
#include "leaf.h"
#include "memory.h"
#include "scalar.h"
#include "surrogate.h"

struct reader {
	struct events events;
	struct faults *faults;
	size_t nodes;               /* so far, aliases expanded */
	int level;
	struct anchors anchors;
};

/* Reads EVENT's node and deletes EVENT. NULL, after a fault, when nothing can be read beyond it. */
static struct node *read_node(struct reader *r, yaml_event_t *event);

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
		fault_add(r->faults, events_line(event), "no anchor %s stands before this alias", fault_quote(name, quoted));
		return node_new(NODE_FAULTY, events_line(event));
	}
	if (!node) {
		fault_add(r->faults, events_line(event), "the alias %s is inside what it stands for", fault_quote(name, quoted));
		return NULL;
	}
	if (!count_nodes(r, node->weight, events_line(event)) ||
	    !check_levels(r, r->level + node->height, events_line(event)))
		return NULL;
	return node_ref(node);
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
	struct node *list = node_new(NODE_LIST, events_line(start)), *item;
	yaml_event_t event;

	while (events_next(&r->events, &event)) {
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

/* What << stands for, on LINE: the members of VALUE. */
static struct node *
merge_of(struct reader *r, const struct node *value, long line)
{
	struct node *merged = node_new(NODE_MAP, line);

	if (!node_merge(merged, value))
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
	long line = events_line(event);
	struct node *key = read_node(r, event), *value = NULL;

	if (key && events_next(&r->events, event))
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
	struct node *map = node_new(NODE_MAP, events_line(start)), *merged = NULL;
	yaml_event_t event;

	while (events_next(&r->events, &event)) {
		if (event.type == YAML_MAPPING_END_EVENT) {
			yaml_event_delete(&event);
			if (!merged)
				return map;
			node_merge(merged, map);
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

	if (!check_levels(r, r->level + 1, events_line(event)) ||
	    !check_tag(r, tag, is_list ? SCALAR_TAG_PREFIX "seq" : SCALAR_TAG_PREFIX "map", events_line(event)))
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

	if (!count_nodes(r, 1, events_line(event)))
		return NULL;
	if (anchor && !anchors_open(&r->anchors, anchor, &position)) {
		fault_add(r->faults, events_line(event), "the anchor %s stands in the document already", fault_quote(anchor, quoted));
		return NULL;
	}
	node = event->type == YAML_SCALAR_EVENT ? leaf_read(event, r->faults) : read_collection(r, event);
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

	while (events_next(&r->events, &event)) {
		switch (event.type) {
		case YAML_STREAM_END_EVENT:
			yaml_event_delete(&event);
			if (!root)
				fault_add(r->faults, 1, "there is nothing in it; expected benchmark_base and jobs");
			return root;
		case YAML_DOCUMENT_START_EVENT:
			if (root)
				fault_add(r->faults, events_line(&event), "a second document begins here; expected one");
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
	struct reader r = { .faults = faults };
	struct node *root;

	if (size > DOCUMENT_SIZE_MAX) {
		fault_add(faults, 0, "more than %d bytes are too many for a config", DOCUMENT_SIZE_MAX);
		return NULL;
	}
	size = surrogate_join_json(bytes, size);
	events_init(&r.events, bytes, size, faults);
	anchors_init(&r.anchors);
	root = read_stream(&r);
	anchors_free(&r.anchors);
	events_free(&r.events);
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
