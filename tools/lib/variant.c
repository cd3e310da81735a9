#include "variant.h"

#include <stdlib.h>

#include "json.h"
#include "memory.h"

void
variants_init(struct variants *variants, const struct node *base, struct faults *faults)
{
	*variants = (struct variants){ .base = base, .faults = faults };
	variants->positions = json_object_new_object();
	variants->reported = json_object_new_object();
}

void
variants_free(struct variants *variants)
{
	for (size_t i = 0; i < variants->count; i++) {
		benchmark_free(&variants->list[i].benchmark);
		json_object_put(variants->list[i].base);
	}
	free(variants->list);
	json_object_put(variants->positions);
	json_object_put(variants->reported);
}

/* benchmark_base for BENCHMARK; NULL if there is none, or it has faults. A field's fault is reported once for all. */
static struct json_object *
convert_base(struct variants *variants, const struct benchmark *benchmark)
{
	struct json_object *base;

	if (!variants->base)
		return NULL;
	base = json_object_new_object();
	if (benchmark_add(benchmark, variants->base, "benchmark_base: ", variants->reported, variants->faults, base) == 0)
		return base;
	json_object_put(base);
	return NULL;
}

static struct variant *
add(struct variants *variants, const struct benchmark *benchmark)
{
	struct variant *variant;

	variants->list = memory_resize(variants->list, variants->count + 1, sizeof *variants->list);
	variant = &variants->list[variants->count++];
	variant->benchmark = *benchmark;
	variant->base = convert_base(variants, benchmark);
	return variant;
}

struct variant *
variants_get(struct variants *variants, const struct node *node, const char *name, struct faults *faults)
{
	struct json_object *written = node ? node_to_json(node) : json_object_new_string(name), *position;
	char *harness = json_canonical(written);
	struct variant *variant = NULL;
	struct benchmark benchmark;
	int status;

	if (json_object_object_get_ex(variants->positions, harness, &position)) {
		variant = &variants->list[json_object_get_int64(position)];
	} else {
		status = node ? benchmark_init_node(&benchmark, node, faults) : benchmark_init(&benchmark, name, 0, faults);
		if (status == 0) {
			json_object_object_add(variants->positions, harness, json_object_new_int64((int64_t)variants->count));
			variant = add(variants, &benchmark);
		}
	}
	free(harness);
	json_object_put(written);
	return variant;
}
