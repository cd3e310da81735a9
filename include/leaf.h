/* The leaves of a YAML document: nodes of its scalars, by their style, tag and text. */
#ifndef LEAF_H
#define LEAF_H

#include "events.h"
#include "fault.h"
#include "node.h"

/* The node of a scalar's event, to be node_put(): after a fault NODE_FAULTY, with its text. */
struct node *leaf_read(const yaml_event_t *event, struct faults *faults);

#endif
