#include "heap.h"

#include <stdbool.h>
#include <stdlib.h>

#include "memory.h"

static bool
is_before(const struct heap_entry *a, const struct heap_entry *b)
{
	return a->key < b->key || (a->key == b->key && a->tie < b->tie);
}

void
heap_push(struct heap *heap, double key, uint64_t tie, void *item)
{
	struct heap_entry entry = { key, tie, item };
	size_t at = heap->count++;

	if (heap->count > heap->room) {
		heap->room = heap->room ? 2 * heap->room : 16;
		heap->entries = memory_resize(heap->entries, heap->room, sizeof *heap->entries);
	}
	while (at > 0 && is_before(&entry, &heap->entries[(at - 1) / 2])) {
		heap->entries[at] = heap->entries[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap->entries[at] = entry;
}

void *
heap_first(const struct heap *heap)
{
	return heap->count ? heap->entries[0].item : NULL;
}

void *
heap_pop(struct heap *heap)
{
	struct heap_entry *entries = heap->entries, last;
	size_t at = 0, child;
	void *item;

	if (!heap->count)
		return NULL;
	item = entries[0].item;
	last = entries[--heap->count];
	while ((child = 2 * at + 1) < heap->count) {
		if (child + 1 < heap->count && is_before(&entries[child + 1], &entries[child]))
			child++;
		if (!is_before(&entries[child], &last))
			break;
		entries[at] = entries[child];
		at = child;
	}
	entries[at] = last;
	return item;
}

void
heap_free(struct heap *heap)
{
	free(heap->entries);
	*heap = (struct heap){ 0 };
}
