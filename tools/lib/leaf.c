#include "leaf.h"

#include <string.h>

#include "json.h"
#include "memory.h"
#include "scalar.h"

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

struct node *
leaf_read(const yaml_event_t *event, struct faults *faults)
{
	static const enum node_kind kinds[] = {
		[SCALAR_TEXT] = NODE_TEXT, [SCALAR_NULL] = NODE_NULL, [SCALAR_BOOL] = NODE_BOOL, [SCALAR_INT] = NODE_INT,
		[SCALAR_FLOAT] = NODE_FLOAT, [SCALAR_TOO_LARGE] = NODE_FAULTY, [SCALAR_NO_DIGITS] = NODE_FAULTY,
	};
	const char *text = (const char *)event->data.scalar.value;
	const char *tag = (const char *)event->data.scalar.tag;
	char quoted[FAULT_QUOTE_MAX], quoted_tag[FAULT_QUOTE_MAX];
	long line = events_line(event);
	struct scalar scalar;
	struct node *node = node_new(NODE_FAULTY, line);

	node->text = memory_string(text);
	if (strlen(text) != event->data.scalar.length) {
		fault_add(faults, line, "the text %s has a NUL behind it; no text here can hold one", fault_quote(text, quoted));
		return node;
	}
	if (!resolve(event, &scalar)) {
		fault_add(faults, line, "%s cannot be a %s", fault_quote(text, quoted), fault_quote(tag ? tag : "!", quoted_tag));
		return node;
	}
	if (scalar.kind == SCALAR_TOO_LARGE)
		fault_add(faults, line, "%s is an integer beyond 64 bits; with a point it would be a float", fault_quote(text, quoted));
	if (scalar.kind == SCALAR_NO_DIGITS)
		fault_add(faults, line, "%s is a number without digits; put it in quotes if it is text", fault_quote(text, quoted));
	node->kind = kinds[scalar.kind];
	node->scalar = json_of(&scalar, text);
	return node;
}
