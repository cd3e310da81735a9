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

struct variant *
variants_get(struct variants *variants, struct benchmark *benchmark)
{
	char *harness = json_canonical(benchmark->written);
	struct json_object *position;
	struct variant *variant;

	if (json_object_object_get_ex(variants->positions, harness, &position)) {
		benchmark_free(benchmark);
		free(harness);
		return &variants->list[json_object_get_int64(position)];
	}
	json_object_object_add(variants->positions, harness, json_object_new_int64((int64_t)variants->count));
	free(harness);
	variants->list = memory_resize(variants->list, variants->count + 1, sizeof *variants->list);
	variant = &variants->list[variants->count++];
	variant->benchmark = *benchmark;
	variant->base = convert_base(variants, benchmark);
	return variant;
}
