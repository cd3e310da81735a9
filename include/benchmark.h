/*
 * The benchmark config as one harness takes it: which harness that is, its fields, and the mappings
 * benchmark_base and benchmark_overrides checked against them.
 */
#ifndef BENCHMARK_H
#define BENCHMARK_H

#include <stdbool.h>

#include "fault.h"
#include "field.h"
#include "node.h"

#define BENCHMARK_HARNESS_DEFAULT "sim"
#define BENCHMARK_HARNESS_UNKEYED "sangam" /* job keys leave its name out, so that they are its own */

struct json_object;

struct benchmark {
	struct json_object *written; /* the harness as the config writes it, for job keys */
	struct json_object *harness; /* for job.json: a name, or {"command": [TEXT...]} */
	struct field_table fields;
	bool takes_any;              /* a harness of the user's own: fields that the table does not have, any type */
};

/*
 * The harness NAME, which must exist here; faults at LINE say which do. Returns 0 or -1; then nothing is
 * to be freed.
 */
int benchmark_init(struct benchmark *b, const char *name, long line, struct faults *faults);

/* The harness that NODE says: a name or a command. */
int benchmark_init_node(struct benchmark *b, const struct node *node, struct faults *faults);
void benchmark_free(struct benchmark *b);

/*
 * Adds the fields of MAP (benchmark_base or benchmark_overrides, as WHERE says) to CONFIG, over what is
 * there. Faults are added for each field that will not do, but for those in REPORTED (may be NULL),
 * a set of names to which they are added. Returns 0 or -1.
 */
int benchmark_add(const struct benchmark *b, const struct node *map, const char *where, struct json_object *reported,
    struct faults *faults, struct json_object *config);

#endif
