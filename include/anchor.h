/* The anchors of a YAML document: names for nodes, which aliases repeat. */
#ifndef ANCHOR_H
#define ANCHOR_H

#include <stdbool.h>
#include <stddef.h>

#include "node.h"

struct anchors {
	struct json_object *positions; /* name to position in list */
	struct node **list;            /* NULL where the node is not complete yet */
	size_t count;
};

void anchors_init(struct anchors *anchors);
void anchors_free(struct anchors *anchors);

/* Takes note of NAME, whose node begins; *POSITION is for anchors_close(). False if NAME is there already. */
bool anchors_open(struct anchors *anchors, const char *name, size_t *position);

/* NODE, of which it takes a reference of its own, is complete. */
void anchors_close(struct anchors *anchors, size_t position, struct node *node);

/* The node of that NAME, NULL while it is not complete; no reference is taken. False if there is no such name. */
bool anchors_find(const struct anchors *anchors, const char *name, struct node **node);

#endif
