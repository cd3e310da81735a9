#include "anchor.h"

#include <json-c/json.h>
#include <stdlib.h>

#include "memory.h"

void
anchors_init(struct anchors *anchors)
{
	*anchors = (struct anchors){ .positions = json_object_new_object() };
}

void
anchors_free(struct anchors *anchors)
{
	for (size_t i = 0; i < anchors->count; i++)
		node_put(anchors->list[i]);
	free(anchors->list);
	json_object_put(anchors->positions);
}

bool
anchors_open(struct anchors *anchors, const char *name, size_t *position)
{
	if (json_object_object_get_ex(anchors->positions, name, NULL))
		return false;
	if ((anchors->count & (anchors->count - 1)) == 0) /* room doubles at each power of two */
		anchors->list = memory_resize(anchors->list, anchors->count ? 2 * anchors->count : 1, sizeof *anchors->list);
	*position = anchors->count++;
	json_object_object_add(anchors->positions, name, json_object_new_int64((int64_t)*position));
	anchors->list[*position] = NULL;
	return true;
}

void
anchors_close(struct anchors *anchors, size_t position, struct node *node)
{
	anchors->list[position] = node_ref(node);
}

bool
anchors_find(const struct anchors *anchors, const char *name, struct node **node)
{
	struct json_object *position;

	if (!json_object_object_get_ex(anchors->positions, name, &position))
		return false;
	*node = anchors->list[json_object_get_int64(position)];
	return true;
}
