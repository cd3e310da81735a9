/* A set of texts that numbers them in the order they come. */
#ifndef LABELS_H
#define LABELS_H

#include <stddef.h>

struct labels { /* zeroed at first */
	char **list;   /* the texts by their numbers */
	size_t count;
	size_t *slots; /* a hash table: number + 1; 0: free */
	size_t num_slots;
};

/* The number of TEXT of SIZE bytes, which a NUL follows; a new one if it was not there. */
size_t labels_number(struct labels *labels, const char *text, size_t size);
void labels_free(struct labels *labels);

#endif
