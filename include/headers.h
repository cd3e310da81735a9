/* Headers of HTTP requests that a user gives: texts "NAME: VALUE". */
#ifndef HEADERS_H
#define HEADERS_H

#include <stdbool.h>
#include <stddef.h>

struct headers {
	const char **list; /* the texts, which are the caller's */
	size_t count;
};

/* Adds TEXT, which has to live as long. False if it is no header: a line break, no name, no value. */
bool headers_add(struct headers *headers, const char *text);

/* Whether there is one with the NAME, in capitals or not. */
bool headers_have(const struct headers *headers, const char *name);

void headers_free(struct headers *headers);

#endif
