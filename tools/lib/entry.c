#include "entry.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "rate.h"
#include "spelling.h"

#define RATE_EXPECTED "requests per second, from 0.0001 to 1e9"

int
entry_fault(const struct node *value, const char *where, const char *key, const char *expected, struct faults *faults)
{
	char *found;

	if (value->kind == NODE_FAULTY)
		return -1;
	found = node_describe(value);
	fault_add(faults, value->line, "%s%s is %s; expected %s", where, key, found, expected);
	free(found);
	return -1;
}

static size_t
count_of(const char *const *words)
{
	size_t n = 0;

	while (words && words[n])
		n++;
	return n;
}

static bool
is_among(const char *word, const char *const *words)
{
	for (; words && *words; words++)
		if (strcmp(word, *words) == 0)
			return true;
	return false;
}

void
entry_check_keys(const struct node *map, const char *where, const char *const *known, const char *const *later,
    struct faults *faults)
{
	char quoted[FAULT_QUOTE_MAX];

	for (size_t i = 0; i < map->count; i++) {
		const struct node_member *member = &map->members[i];

		if (is_among(member->key, known))
			continue;
		fault_quote(member->key, quoted);
		if (is_among(member->key, later))
			fault_add(faults, member->line, "%sthis version does not have the key %s yet", where, quoted);
		else
			fault_add(faults, member->line, "%sthe key %s is not known; the nearest that is: %s", where, quoted,
			    spelling_nearest(member->key, known, count_of(known)));
	}
}

const struct node *
entry_required(const struct node *map, const char *where, const char *key, const char *expected, struct faults *faults)
{
	const struct node *node = node_get(map, key);
	const struct node_member *member = node_member(map, key);

	if (!node)
		fault_add(faults, member ? member->line : map->line, "%s%s is %s; expected %s", where, key,
		    member ? "empty" : "missing", expected);
	return node;
}

const struct node *
entry_map(const struct node *map, const char *where, const char *key, struct faults *faults)
{
	const struct node *node = node_get(map, key);

	if (!node || node->kind == NODE_MAP)
		return node;
	entry_fault(node, where, key, "a mapping", faults);
	return NULL;
}

static bool
is_in_range(double value, const struct entry_range *range)
{
	return value <= range->high && (range->is_above_low ? value > range->low : value >= range->low);
}

int
entry_number(const struct node *map, const char *where, const char *key, const struct entry_range *range,
    struct faults *faults, double *value)
{
	const struct node *node = node_get(map, key);
	double number;

	if (!node)
		return 0;
	if (!node_number(node, &number) || !is_in_range(number, range))
		return entry_fault(node, where, key, range->expected, faults);
	*value = number;
	return 0;
}

int
entry_integer(const struct node *map, const char *where, const char *key, const struct entry_range *range,
    struct faults *faults, long *value)
{
	const struct node *node = node_get(map, key);
	long number;

	if (!node)
		return 0;
	if (!node_integer(node, &number) || !is_in_range((double)number, range))
		return entry_fault(node, where, key, range->expected, faults);
	*value = number;
	return 0;
}

static bool
rate_of(const struct node *node, double *qps)
{
	double number;

	if (!node_number(node, &number) || !rate_is_valid(number))
		return false;
	*qps = rate_round(number);
	return true;
}

int
entry_rate(const struct node *map, const char *where, const char *key, struct faults *faults, double *qps)
{
	const struct node *node = node_get(map, key);

	if (node && !rate_of(node, qps))
		return entry_fault(node, where, key, RATE_EXPECTED, faults);
	return 0;
}

int
entry_rates(const struct node *map, const char *where, const char *key, struct faults *faults, double **rates,
    size_t *count)
{
	const struct node *list = node_get(map, key);
	double *found;
	char *item;
	int status = 0;

	if (!list)
		return 0;
	if (list->kind == NODE_LIST && list->count == 0)
		return fault_add(faults, list->line, "%s%s is empty; expected at least one rate", where, key);
	if (list->kind != NODE_LIST)
		return entry_fault(list, where, key, "a list of rates", faults);
	found = memory_alloc(list->count, sizeof *found);
	item = memory_format("%s: a rate", key);
	for (size_t i = 0; i < list->count; i++)
		if (!rate_of(list->members[i].value, &found[i]))
			status = entry_fault(list->members[i].value, where, item, RATE_EXPECTED, faults);
	free(item);
	if (status < 0) {
		free(found);
		return -1;
	}
	*rates = found;
	*count = list->count;
	return 0;
}
