/*
 * The pool of a config's resources, {gpus: "0-7", ports: "21000-21999"}: each trial gets as many of them as its fields
 * name. Either member may be missing; then what fields name is what the trial uses.
 */
#ifndef POOL_H
#define POOL_H

#include <stddef.h>

#include "demand.h"
#include "fault.h"
#include "node.h"

struct json_object;

struct pool_part {
	char *text;      /* as it is written: numbers and ranges of them, with commas between; NULL: not pooled */
	long *numbers;   /* rising */
	size_t num;
};

struct pool {
	struct pool_part gpus, ports;
};

/* The pool that RESOURCES, which may be NULL, says. Returns 0, or -1 after a fault; then it is empty. */
int pool_from_node(const struct node *resources, struct pool *pool, struct faults *faults);

/* The same from job.json, where what cannot be read is left out; and for it: NULL if nothing is pooled. */
void pool_from_json(struct json_object *resources, struct pool *pool);
struct json_object *pool_to_json(const struct pool *pool);
void pool_free(struct pool *pool);

/* Why DEMAND can never be met, in words (to be freed); NULL if it can. */
char *pool_lacks(const struct pool *pool, const struct demand *demand);

#endif
