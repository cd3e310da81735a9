#include "pool.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "entry.h"
#include "json.h"
#include "memory.h"

static const struct part_kind {
	const char *key, *expected;
	long low, high;
} gpu_kind = { "gpus", "numbers from 0 to 4095, each once, as \"0-7\" or \"0,2,4-7\"", 0, 4095 },
  port_kind = { "ports", "ports from 1 to 65535, each once, as \"21000-21999\"", 1, 65535 };

/* Adds the numbers from LOW to HIGH. */
static void
add_range(struct pool_part *part, long low, long high)
{
	part->numbers = memory_resize(part->numbers, part->num + (size_t)(high - low) + 1, sizeof *part->numbers);
	for (long n = low; n <= high; n++)
		part->numbers[part->num++] = n;
}

static int
compare_numbers(const void *a, const void *b)
{
	const long *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

/* Whether no number is there twice; one is left of each. */
static bool
sort(struct pool_part *part)
{
	size_t kept = 0, all = part->num;

	qsort(part->numbers, part->num, sizeof *part->numbers, compare_numbers);
	for (size_t i = 0; i < part->num; i++)
		if (i == 0 || part->numbers[i] != part->numbers[kept - 1])
			part->numbers[kept++] = part->numbers[i];
	part->num = kept;
	return kept == all;
}

/* One number of TEXT, without a sign, to *NUMBER; what stands behind it, or NULL if there is none in range. */
static const char *
parse_number(const char *text, const struct part_kind *kind, long *number)
{
	size_t digits = strspn(text, "0123456789");

	*number = digits > 0 && digits < 6 ? strtol(text, NULL, 10) : -1;
	return *number >= kind->low && *number <= kind->high ? text + digits : NULL;
}

/* Reads "0-7", "0,2,4-7" and the like. False if it is not that, or, with PART filled, if a number is there twice. */
static bool
parse_part(const char *text, const struct part_kind *kind, struct pool_part *part)
{
	const char *p = text;
	long low, high;

	for (;;) {
		p = parse_number(p + strspn(p, " "), kind, &low);
		high = low;
		if (p && *p == '-')
			p = parse_number(p + 1, kind, &high);
		if (!p || high < low || part->num > 65536)
			break;
		add_range(part, low, high);
		p += strspn(p, " ");
		if (*p == '\0') {
			part->text = memory_string(text);
			return sort(part);
		}
		if (*p++ != ',')
			break;
	}
	free(part->numbers);
	*part = (struct pool_part){ NULL, NULL, 0 };
	return false;
}

/* The text of NODE: a text, a number, or a list of such with commas between (to be freed). NULL if it is none. */
static char *
text_of(const struct node *node)
{
	char *text = node->kind == NODE_LIST && node->count > 0 ? memory_string("") : node_text(node);

	for (size_t i = 0; text && node->kind == NODE_LIST && i < node->count; i++) {
		char *item = node_text(node->members[i].value);
		char *longer = item ? memory_format("%s%s%s", text, i > 0 ? "," : "", item) : NULL;

		free(item);
		free(text);
		text = longer;
	}
	return text;
}

static int
read_part(const struct node *resources, const struct part_kind *kind, struct pool_part *part, struct faults *faults)
{
	const struct node *node = node_get(resources, kind->key);
	char *text = node ? text_of(node) : NULL;
	bool good = !node || (text && parse_part(text, kind, part));

	free(text);
	return good ? 0 : entry_fault(node, "resources: ", kind->key, kind->expected, faults);
}

int
pool_from_node(const struct node *resources, struct pool *pool, struct faults *faults)
{
	static const char *const known[] = { "gpus", "ports", NULL };
	int status;

	memset(pool, 0, sizeof *pool);
	if (!resources)
		return 0;
	entry_check_keys(resources, "resources: ", known, NULL, faults);
	status = read_part(resources, &gpu_kind, &pool->gpus, faults);
	if (read_part(resources, &port_kind, &pool->ports, faults) < 0)
		status = -1;
	if (status < 0)
		pool_free(pool);
	return status;
}

void
pool_from_json(struct json_object *resources, struct pool *pool)
{
	memset(pool, 0, sizeof *pool);
	if (!json_object_is_type(resources, json_type_object))
		return;
	parse_part(json_get_text(resources, gpu_kind.key, ""), &gpu_kind, &pool->gpus);
	parse_part(json_get_text(resources, port_kind.key, ""), &port_kind, &pool->ports);
}

struct json_object *
pool_to_json(const struct pool *pool)
{
	struct json_object *json;

	if (!pool->gpus.text && !pool->ports.text)
		return NULL;
	json = json_object_new_object();
	if (pool->gpus.text)
		json_object_object_add(json, gpu_kind.key, json_object_new_string(pool->gpus.text));
	if (pool->ports.text)
		json_object_object_add(json, port_kind.key, json_object_new_string(pool->ports.text));
	return json;
}

void
pool_free(struct pool *pool)
{
	free(pool->gpus.text);
	free(pool->gpus.numbers);
	free(pool->ports.text);
	free(pool->ports.numbers);
	memset(pool, 0, sizeof *pool);
}

/* Whether each of the demand's runs of ports finds a place beside the others, taken first come, first placed. */
static bool
ports_fit(const struct pool_part *ports, const struct demand *demand)
{
	bool *taken = memory_alloc(ports->num, sizeof *taken);
	bool fit = true;

	for (size_t f = demand->num_port_fields; fit && f-- > 0;) { /* the long run is the last field: place it first */
		size_t count = (size_t)demand->port_fields[f].count, run = 0;

		fit = false;
		for (size_t i = 0; !fit && i < ports->num; i++) {
			run = taken[i] ? 0 : run > 0 && ports->numbers[i] == ports->numbers[i - 1] + 1 ? run + 1 : 1;
			fit = run == count;
			for (size_t j = 0; fit && j < count; j++)
				taken[i - j] = true;
		}
	}
	free(taken);
	return fit;
}

char *
pool_lacks(const struct pool *pool, const struct demand *demand)
{
	if (pool->gpus.text && demand->num_gpus > pool->gpus.num)
		return memory_format("%zu GPUs are named, and resources has %zu (%s)", demand->num_gpus, pool->gpus.num,
		    pool->gpus.text);
	if (pool->ports.text && !ports_fit(&pool->ports, demand))
		return memory_format("%ld ports are named, consecutive ones from base_worker_port on, and resources has no room "
		    "for them in %s", demand_num_ports(demand), pool->ports.text);
	return NULL;
}
