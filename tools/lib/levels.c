#include "levels.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum { SMALL_DEPTHS = 512 };

/* The place of the level, or the free one where it belongs. */
static struct level *
place_of(const struct levels *levels, double worker, double depth)
{
	size_t mask = levels->room - 1, i;
	uint64_t bits;

	memcpy(&bits, &depth, sizeof bits);
	bits = (bits ^ bits >> 32 ^ (uint64_t)worker << 20) * 0x9e3779b97f4a7c15;
	for (i = (bits >> 32) & mask; levels->list[i].sum > 0; i = (i + 1) & mask)
		if (levels->list[i].worker == worker && levels->list[i].depth == depth)
			break;
	return &levels->list[i];
}

static void
grow(struct levels *levels)
{
	struct levels old = *levels;

	levels->room = old.room ? old.room * 2 : 1024;
	levels->list = memory_alloc(levels->room, sizeof *levels->list);
	for (size_t i = 0; i < old.room; i++)
		if (old.list[i].sum > 0)
			*place_of(levels, old.list[i].worker, old.list[i].depth) = old.list[i];
	free(old.list);
}

static void
add_level(struct levels *levels, double worker, double depth, double duration)
{
	struct level *level;

	depth += 0.0; /* the two zeros are one */
	if (levels->count >= levels->room / 2)
		grow(levels);
	level = place_of(levels, worker, depth);
	if (!(level->sum > 0)) {
		*level = (struct level){ worker, depth, 0 };
		levels->count++;
	}
	level->sum += duration;
}

static void
make_sums(struct levels *levels, size_t worker)
{
	for (; levels->num_workers <= worker; levels->num_workers++) {
		levels->sums = memory_resize(levels->sums, levels->num_workers + 1, sizeof *levels->sums);
		levels->sums[levels->num_workers] = NULL;
	}
	levels->sums[worker] = memory_alloc(SMALL_DEPTHS, sizeof **levels->sums);
}

void
levels_add(struct levels *levels, size_t worker, double depth, double duration)
{
	size_t small = depth >= 0 && depth < SMALL_DEPTHS ? (size_t)depth : 0;

	levels->num_added++;
	if ((double)small != depth) {
		add_level(levels, (double)worker, depth, duration);
		return;
	}
	if (worker >= levels->num_workers || !levels->sums[worker])
		make_sums(levels, worker);
	levels->sums[worker][small] += duration;
}

static void
free_sums(struct levels *levels)
{
	for (size_t i = 0; i < levels->num_workers; i++)
		free(levels->sums[i]);
	free(levels->sums);
	levels->sums = NULL;
	levels->num_workers = 0;
}

static int
compare(const void *a, const void *b)
{
	const struct level *x = a, *y = b;

	if (x->worker != y->worker)
		return x->worker < y->worker ? -1 : 1;
	return x->depth < y->depth ? -1 : x->depth > y->depth;
}

void
levels_sort(struct levels *levels)
{
	size_t n = 0;

	for (size_t i = 0; i < levels->num_workers; i++)
		for (size_t depth = 0; levels->sums[i] && depth < SMALL_DEPTHS; depth++)
			if (levels->sums[i][depth] > 0)
				add_level(levels, (double)i, (double)depth, levels->sums[i][depth]);
	free_sums(levels);
	for (size_t i = 0; i < levels->room; i++)
		if (levels->list[i].sum > 0)
			levels->list[n++] = levels->list[i];
	if (n > 0)
		qsort(levels->list, n, sizeof *levels->list, compare);
	for (size_t i = 1; i < n; i++)
		if (levels->list[i].worker == levels->list[i - 1].worker)
			levels->list[i].sum += levels->list[i - 1].sum;
}

/*
 * The depth for the worker whose levels end before END. A sum of N doubles above 0 is off by less than N epsilon of
 * it, in any order.
 */
static bool
worker_depth(const struct level *level, const struct level *end, double quantile, double num_added, double *depth)
{
	double total = end[-1].sum, enough = quantile * total, doubt = 4 * num_added * DBL_EPSILON * total;
	const struct level *first = level;

	if (quantile > 0)
		while (level < end - 1 && level->sum < enough)
			level++;
	*depth = level->depth;
	return quantile == 0 || ((level == first || level[-1].sum < enough - doubt) &&
	    (level == end - 1 || level->sum > enough + doubt));
}

bool
levels_depth(const struct levels *levels, double quantile, double *depth)
{
	const struct level *level = levels->list, *end = level + levels->count, *next;
	bool is_sure = true;
	double worst = -INFINITY, own;

	for (; level < end; level = next) {
		for (next = level + 1; next < end && next->worker == level->worker;)
			next++;
		if (!worker_depth(level, next, quantile, (double)levels->num_added, &own))
			is_sure = false;
		worst = fmax(worst, own);
	}
	*depth = worst;
	return is_sure;
}

void
levels_free(struct levels *levels)
{
	free_sums(levels);
	free(levels->list);
	memset(levels, 0, sizeof *levels);
}
