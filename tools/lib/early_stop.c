#include "early_stop.h"

#include <json-c/json.h>
#include <string.h>

#include "entry.h"
#include "json.h"

static const char *const texts[] = { [EARLY_STOP_OFF] = NULL, [EARLY_STOP_FAIL] = "fail", [EARLY_STOP_BOTH] = "both" };

static enum early_stop
from_text(const char *text)
{
	for (size_t i = EARLY_STOP_FAIL; i <= EARLY_STOP_BOTH; i++)
		if (strcmp(text, texts[i]) == 0)
			return (enum early_stop)i;
	return EARLY_STOP_OFF;
}

enum early_stop
early_stop_from_node(const struct node *search, struct faults *faults)
{
	const struct node *node = node_get(search, "early_stop");
	enum early_stop stop = EARLY_STOP_OFF;

	if (node && node->kind == NODE_BOOL)
		return json_object_get_boolean(node->scalar) ? EARLY_STOP_BOTH : EARLY_STOP_OFF;
	if (node && node->kind == NODE_TEXT)
		stop = from_text(node->text);
	if (node && stop == EARLY_STOP_OFF)
		entry_fault(node, "search: ", "early_stop", "fail, both, true (the same as both) or false", faults);
	return stop;
}

enum early_stop
early_stop_from_json(struct json_object *search)
{
	return from_text(json_get_text(search, "early_stop", ""));
}

const char *
early_stop_text(enum early_stop stop)
{
	return texts[stop];
}
