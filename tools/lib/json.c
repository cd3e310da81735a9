#include "json.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "file.h"
#include "memory.h"
#include "number.h"

enum { DEPTH_MAX = 128 };

static long
line_at(const char *bytes, size_t offset, long line)
{
	for (size_t i = 0; i < offset; i++)
		line += bytes[i] == '\n';
	return line;
}

static size_t
skip_blanks(const char *bytes, size_t size, size_t at)
{
	while (at < size && bytes[at] && strchr(" \t\r\n", bytes[at]))
		at++;
	return at;
}

int
json_parse_next(struct json_text *text, struct json_object **object, struct error *e)
{
	struct json_tokener *tokener = json_tokener_new_ex(DEPTH_MAX);
	size_t size = text->size < INT32_MAX ? text->size : INT32_MAX, end;
	enum json_tokener_error fault;

	if (!tokener)
		memory_exhausted();
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_ALLOW_TRAILING_CHARS |
	    (text->is_any_bytes ? 0 : JSON_TOKENER_VALIDATE_UTF8));
	*object = json_tokener_parse_ex(tokener, text->bytes, (int)size);
	end = json_tokener_get_parse_end(tokener);
	if (json_tokener_get_error(tokener) == json_tokener_continue && !*object && size == text->size)
		*object = json_tokener_parse_ex(tokener, "", 1); /* a number is whole at the end of the text only */
	fault = json_tokener_get_error(tokener);
	json_tokener_free(tokener);
	if (end > size)
		end = size;
	text->line = line_at(text->bytes, end, text->line);
	if (fault == json_tokener_success) {
		size_t after = skip_blanks(text->bytes, text->size, end);

		text->line = line_at(text->bytes + end, after - end, text->line);
		text->bytes += after;
		text->size -= after;
		return 0;
	}
	json_object_put(*object);
	*object = NULL;
	if (fault == json_tokener_continue || end == size)
		return error_add(e, EX_DATAERR, text->file, text->line, "not JSON: %s",
		    size < text->size ? "more than 2 GiB in one document" : "the text is cut off");
	return error_add(e, EX_DATAERR, text->file, text->line,
	    isgraph((unsigned char)text->bytes[end]) ? "not JSON: %s, found '%c'" : "not JSON: %s, found the byte %d",
	    json_tokener_error_desc(fault), (unsigned char)text->bytes[end]);
}

struct json_object *
json_parse(const char *bytes, size_t size, const char *file, long line, struct error *e)
{
	struct json_text text = { .bytes = bytes, .size = size, .file = file, .line = line };
	struct json_object *object;

	if (json_parse_next(&text, &object, e) < 0)
		return NULL;
	if (text.size == 0)
		return object;
	json_object_put(object);
	error_add(e, EX_DATAERR, file, text.line, "not JSON: something follows the document");
	return NULL;
}

struct json_object *
json_read(const char *path, struct error *e)
{
	struct json_object *object;
	size_t size;
	char *bytes = file_read(path, &size, e);

	if (!bytes)
		return NULL;
	object = json_parse(bytes, size, path, 1, e);
	free(bytes);
	return object;
}

struct json_object *
json_number(double value)
{
	char text[NUMBER_TEXT_MAX];

	number_repr(value, text);
	if (text[strspn(text, "-")] == 'i' || text[0] == 'n')
		return NULL;
	return json_object_new_double_s(value, text);
}

struct json_object *
json_text_or_null(const char *text)
{
	return text ? json_object_new_string(text) : NULL;
}

const char *
json_get_text(struct json_object *object, const char *key, const char *otherwise)
{
	struct json_object *member;

	return json_object_object_get_ex(object, key, &member) && json_object_is_type(member, json_type_string)
	    ? json_object_get_string(member) : otherwise;
}

double
json_get_number(struct json_object *object, const char *key, double otherwise)
{
	struct json_object *member;

	return json_object_object_get_ex(object, key, &member) &&
	    (json_object_is_type(member, json_type_double) || json_object_is_type(member, json_type_int))
	    ? json_object_get_double(member) : otherwise;
}

bool
json_get_bool(struct json_object *object, const char *key, bool otherwise)
{
	struct json_object *member;

	return json_object_object_get_ex(object, key, &member) && json_object_is_type(member, json_type_boolean)
	    ? (bool)json_object_get_boolean(member) : otherwise;
}

char *
json_line(struct json_object *object)
{
	return memory_format("%s\n", json_object_to_json_string_ext(object,
	    JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE));
}

char *
json_pretty(struct json_object *object)
{
	return memory_format("%s\n", json_object_to_json_string_ext(object,
	    JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE));
}

/* The next code point of valid UTF-8; what is no valid lead byte stands for itself. */
static unsigned
next_code_point(const unsigned char **p, const unsigned char *end)
{
	unsigned c = *(*p)++;
	int more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0 ? 1 : 0;

	if (more)
		c &= 0x3fu >> more;
	for (; more > 0 && *p < end; more--)
		c = c << 6 | (*(*p)++ & 0x3fu);
	return c;
}

static void
canonical_string(FILE *f, const char *text, size_t size)
{
	static const char escaped[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	const unsigned char *p = (const unsigned char *)text, *end = p + size;

	fputc('"', f);
	while (p < end) {
		unsigned c = next_code_point(&p, end);
		const char *found = c && c < 0x80 ? strchr(escaped, (int)c) : NULL;

		if (found)
			fprintf(f, "\\%c", letters[found - escaped]);
		else if (c >= 0x20 && c < 0x7f)
			fputc((int)c, f);
		else if (c >= 0x10000)
			fprintf(f, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10), 0xdc00 + ((c - 0x10000) & 0x3ff));
		else
			fprintf(f, "\\u%04x", c);
	}
	fputc('"', f);
}

static int
compare_keys(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void canonical(FILE *f, struct json_object *o);

static void
canonical_object(FILE *f, struct json_object *o)
{
	size_t n = 0;
	const char **keys = memory_alloc((size_t)json_object_object_length(o), sizeof *keys);

	json_object_object_foreach(o, key, value) {
		(void)value;
		keys[n++] = key;
	}
	qsort(keys, n, sizeof *keys, compare_keys);
	fputc('{', f);
	for (size_t i = 0; i < n; i++) {
		if (i)
			fputc(',', f);
		canonical_string(f, keys[i], strlen(keys[i]));
		fputc(':', f);
		canonical(f, json_object_object_get(o, keys[i]));
	}
	fputc('}', f);
	free(keys);
}

static void
canonical(FILE *f, struct json_object *o)
{
	char text[NUMBER_TEXT_MAX];

	switch (json_object_get_type(o)) {
	case json_type_object:
		canonical_object(f, o);
		break;
	case json_type_array:
		fputc('[', f);
		for (size_t i = 0; i < json_object_array_length(o); i++) {
			if (i)
				fputc(',', f);
			canonical(f, json_object_array_get_idx(o, i));
		}
		fputc(']', f);
		break;
	case json_type_string:
		canonical_string(f, json_object_get_string(o), (size_t)json_object_get_string_len(o));
		break;
	case json_type_double:
		fputs(number_repr(json_object_get_double(o), text), f);
		break;
	default: /* null, booleans and integers look the same everywhere */
		fputs(json_object_to_json_string(o), f);
	}
}

char *
json_canonical(struct json_object *object)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		memory_exhausted();
	canonical(f, object);
	if (fclose(f) != 0)
		memory_exhausted();
	return text;
}
