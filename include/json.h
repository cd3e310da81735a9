/* JSON, through json-c: read with file and line of a fault, written as Python's json module would. */
#ifndef JSON_H
#define JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

#include "error.h"

/* What is left of a text of JSON documents, one after the other. */
struct json_text {
	const char *bytes;
	size_t size;
	const char *file; /* for errors */
	long line;        /* of the first byte */
	bool is_any_bytes; /* strings may hold what is no UTF-8 */
};

/*
 * Takes the document at the start of TEXT, and the blanks behind it, off it: *OBJECT, to be put, and 0. -1 with
 * EX_DATAERR and the line of the fault, and *OBJECT NULL, if none is there.
 */
int json_parse_next(struct json_text *text, struct json_object **object, struct error *e);

/*
 * One JSON document of SIZE bytes; FILE and LINE (of its first byte) stand in errors. NULL with
 * EX_DATAERR if it is none, is cut off, or something follows it. json_object_put() it.
 */
struct json_object *json_parse(const char *bytes, size_t size, const char *file, long line, struct error *e);

/* The document in PATH. NULL with EX_NOINPUT, EX_IOERR or EX_DATAERR. */
struct json_object *json_read(const char *path, struct error *e);

/* VALUE as a JSON number that reads back the same and shows as Python's repr; NULL (null) if it is not finite. */
struct json_object *json_number(double value);

/* Text, or null for NULL. */
struct json_object *json_text_or_null(const char *text);

/* Members of an object, with a default where it is missing or null. */
const char *json_get_text(struct json_object *object, const char *key, const char *otherwise);
double json_get_number(struct json_object *object, const char *key, double otherwise);
bool json_get_bool(struct json_object *object, const char *key, bool otherwise);

/* On one line, members in their order, a newline at the end (to be freed). */
char *json_line(struct json_object *object);

/* The same, indented by two spaces. */
char *json_pretty(struct json_object *object);

/* The canonical form: keys sorted, no spaces, ASCII with \uXXXX, floats as Python's repr (to be freed). */
char *json_canonical(struct json_object *object);

#endif
