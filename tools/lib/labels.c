#include "labels.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* FNV-1a. */
static uint64_t
hash(const char *text)
{
	uint64_t h = 0xcbf29ce484222325;

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001b3;
	return h ^ h >> 32;
}

/* The slot that holds TEXT, or the free one where it belongs. */
static size_t *
slot_of(const struct labels *labels, const char *text)
{
	size_t i = hash(text) & (labels->num_slots - 1);

	while (labels->slots[i] && strcmp(labels->list[labels->slots[i] - 1], text) != 0)
		i = (i + 1) & (labels->num_slots - 1);
	return &labels->slots[i];
}

static void
grow(struct labels *labels)
{
	labels->num_slots = labels->num_slots ? labels->num_slots * 2 : 64;
	free(labels->slots);
	labels->slots = memory_alloc(labels->num_slots, sizeof *labels->slots);
	labels->list = memory_resize(labels->list, labels->num_slots / 2, sizeof *labels->list);
	for (size_t i = 0; i < labels->count; i++)
		*slot_of(labels, labels->list[i]) = i + 1;
}

size_t
labels_number(struct labels *labels, const char *text)
{
	size_t *slot;

	if (labels->count == labels->num_slots / 2)
		grow(labels);
	slot = slot_of(labels, text);
	if (!*slot) {
		labels->list[labels->count] = memory_string(text);
		*slot = ++labels->count;
	}
	return *slot - 1;
}

void
labels_free(struct labels *labels)
{
	for (size_t i = 0; i < labels->count; i++)
		free(labels->list[i]);
	free(labels->list);
	free(labels->slots);
	memset(labels, 0, sizeof *labels);
}
