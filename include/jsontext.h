/*
 * JSON as text: checked, and taken apart, without building a tree. For documents that are mostly passed
 * on as they are; ten times as fast as json.h.
 */
#ifndef JSONTEXT_H
#define JSONTEXT_H

#include <stdbool.h>
#include <stddef.h>

struct jsontext {
	const char *start; /* of a value, in the text it was found in */
	size_t size;
};

/*
 * Whether the SIZE bytes of TEXT (which has a NUL behind them) are one JSON object and nothing but blanks
 * around it; UTF-8 in strings is not looked at. *OBJECT is the text without those blanks, *MEMBER the value
 * of the object's member KEY (plain ASCII), start NULL if it has none.
 */
bool jsontext_object(const char *text, size_t size, const char *key, struct jsontext *object, struct jsontext *member);

/* Writes TEXT with WIDTH blanks after each newline TO a place of that size, no NUL; returns the place behind it. */
char *jsontext_indent(const struct jsontext *text, size_t width, char *to);
size_t jsontext_indented_size(const struct jsontext *text, size_t width);

#endif
