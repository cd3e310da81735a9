/* The rule set of a config: its key sla, checked, as sla.json holds it. */
#ifndef RULESET_H
#define RULESET_H

#include "fault.h"
#include "node.h"

struct json_object;

/* The rules of LIST as JSON, to be json_object_put(); whatever faults were added on the way. */
struct json_object *ruleset_from_node(const struct node *list, struct faults *faults);

#endif
