/* A priority queue: the least key first, of equals the least tie. */
#ifndef HEAP_H
#define HEAP_H

#include <stddef.h>
#include <stdint.h>

struct heap_entry {
	double key;
	uint64_t tie;
	void *item; /* the caller's */
};

/* All zero is an empty heap. */
struct heap {
	struct heap_entry *entries; /* entries[0] is the first */
	size_t count, room;
};

void heap_push(struct heap *heap, double key, uint64_t tie, void *item);

/* The first item, which stays or goes. NULL if the heap is empty. */
void *heap_first(const struct heap *heap);
void *heap_pop(struct heap *heap);

/* Frees the heap, not the items. */
void heap_free(struct heap *heap);

#endif
