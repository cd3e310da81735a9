#include "labels.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* Eight bytes at a time. */
static uint64_t
hash(const char *text, size_t size)
{
	uint64_t h = size, bytes;

	for (; size >= sizeof bytes; text += sizeof bytes, size -= sizeof bytes) {
		memcpy(&bytes, text, sizeof bytes);
		h = (h ^ bytes) * 0x9e3779b97f4a7c15;
		h ^= h >> 32;
	}
	for (bytes = 0; size > 0; size--)
		bytes = bytes << 8 | (unsigned char)*text++;
	h = (h ^ bytes) * 0x9e3779b97f4a7c15;
	return h ^ h >> 32;
}

/* Byte by byte, as a load of several bytes would wait for the NUL behind the text, which has just been stored. */
static bool
is_same(const char *label, const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (label[i] != text[i])
			return false;
	return label[size] == '\0';
}

/* The slot that holds TEXT, or the free one where it belongs. */
static size_t *
slot_of(const struct labels *labels, const char *text, size_t size)
{
	size_t i = hash(text, size) & (labels->num_slots - 1);

	while (labels->slots[i] && !is_same(labels->list[labels->slots[i] - 1], text, size))
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
		*slot_of(labels, labels->list[i], strlen(labels->list[i])) = i + 1;
}

size_t
labels_number(struct labels *labels, const char *text, size_t size)
{
	size_t *slot;

	if (labels->count == labels->num_slots / 2)
		grow(labels);
	slot = slot_of(labels, text, size);
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
