/* Variants: benchmark_base as each harness in effect takes it. */
#ifndef VARIANT_H
#define VARIANT_H

#include <stddef.h>

#include "benchmark.h"

struct variant {
	struct benchmark benchmark;
	struct json_object *base; /* benchmark_base, types checked; NULL: it has faults */
};

struct variants {
	const struct node *base;        /* benchmark_base as it is written; NULL: it is missing or faulty */
	struct faults *faults;
	struct variant *list;
	size_t count;
	struct json_object *positions;  /* in list, by the canonical JSON of the harness */
	struct json_object *reported;   /* set of the fields of benchmark_base whose faults have been added */
};

/* BASE and FAULTS have to live as long. */
void variants_init(struct variants *variants, const struct node *base, struct faults *faults);
void variants_free(struct variants *variants);

/*
 * The variant for the harness that NODE says, or, where it is NULL, for the one of that NAME. It stays
 * valid until the next call. NULL, after a fault in FAULTS, if there is no such harness.
 */
struct variant *variants_get(struct variants *variants, const struct node *node, const char *name, struct faults *faults);

#endif
