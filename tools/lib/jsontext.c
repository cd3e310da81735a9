#include "jsontext.h"

#include <ctype.h>
#include <string.h>

enum { DEPTH_MAX = 128 };

/*
 * Each skip_ function returns the place behind what it skips, NULL if that is not there. The NUL behind
 * the text ends everything, as it may stand nowhere in JSON.
 */

static const char *
skip_blanks(const char *p)
{
	while (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r')
		p++;
	return p;
}

static const char *
skip_string(const char *p)
{
	if (*p++ != '"')
		return NULL;
	for (; *p != '"'; p++) {
		if ((unsigned char)*p < 0x20)
			return NULL;
		if (*p != '\\')
			continue;
		p++;
		if (*p == 'u') {
			for (int i = 0; i < 4; i++)
				if (!isxdigit((unsigned char)*++p))
					return NULL;
		} else if (*p == '\0' || !strchr("\"\\/bfnrt", *p)) {
			return NULL;
		}
	}
	return p + 1;
}

static const char *
skip_digits(const char *p)
{
	if (!isdigit((unsigned char)*p))
		return NULL;
	while (isdigit((unsigned char)*p))
		p++;
	return p;
}

static const char *
skip_number(const char *p)
{
	p += *p == '-';
	p = *p == '0' ? p + 1 : skip_digits(p);
	if (p && *p == '.')
		p = skip_digits(p + 1);
	if (p && (*p == 'e' || *p == 'E')) {
		p++;
		p = skip_digits(p + (*p == '+' || *p == '-'));
	}
	return p;
}

static const char *
skip_word(const char *p)
{
	static const char *const words[] = { "null", "true", "false" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strncmp(p, words[i], strlen(words[i])) == 0)
			return p + strlen(words[i]);
	return NULL;
}

static const char *skip_value(const char *p, int depth);

/* The key and the colon of a member. */
static const char *
skip_key(const char *p)
{
	p = skip_string(p);
	if (!p)
		return NULL;
	p = skip_blanks(p);
	return *p == ':' ? skip_blanks(p + 1) : NULL;
}

static const char *
skip_container(const char *p, int depth)
{
	char open = *p, close = open == '{' ? '}' : ']';

	if (depth == DEPTH_MAX)
		return NULL;
	p = skip_blanks(p + 1);
	if (*p == close)
		return p + 1;
	for (;; p = skip_blanks(p + 1)) {
		if (open == '{' && !(p = skip_key(p)))
			return NULL;
		p = skip_value(p, depth + 1);
		if (!p)
			return NULL;
		p = skip_blanks(p);
		if (*p == close)
			return p + 1;
		if (*p != ',')
			return NULL;
	}
}

static const char *
skip_value(const char *p, int depth)
{
	if (*p == '{' || *p == '[')
		return skip_container(p, depth);
	if (*p == '"')
		return skip_string(p);
	return *p == '-' || isdigit((unsigned char)*p) ? skip_number(p) : skip_word(p);
}

/* The value of KEY in the object at P, which is known to be one. */
static struct jsontext
find_member(const char *p, const char *key)
{
	struct jsontext found = { NULL, 0 };
	size_t n = strlen(key);

	for (p = skip_blanks(p + 1); *p == '"'; p = skip_blanks(p)) {
		bool same = strncmp(p + 1, key, n) == 0 && p[n + 1] == '"';
		const char *value = skip_key(p);

		p = skip_value(value, 1);
		if (same)
			found = (struct jsontext){ value, (size_t)(p - value) };
		p = skip_blanks(p);
		p += *p == ',';
	}
	return found;
}

bool
jsontext_object(const char *text, size_t size, const char *key, struct jsontext *object, struct jsontext *member)
{
	const char *start = skip_blanks(text), *end;

	if (*start != '{')
		return false;
	end = skip_container(start, 0);
	if (!end || skip_blanks(end) != text + size)
		return false;
	*object = (struct jsontext){ start, (size_t)(end - start) };
	*member = find_member(start, key);
	return true;
}

size_t
jsontext_indented_size(const struct jsontext *text, size_t width)
{
	const char *end = text->start + text->size;
	size_t lines = 0;

	for (const char *p = text->start; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
		lines++;
	return text->size + lines * width;
}

char *
jsontext_indent(const struct jsontext *text, size_t width, char *to)
{
	const char *p = text->start, *end = p + text->size, *newline;

	while ((newline = memchr(p, '\n', (size_t)(end - p))) != NULL) {
		to = (char *)mempcpy(to, p, (size_t)(newline + 1 - p));
		memset(to, ' ', width);
		to += width;
		p = newline + 1;
	}
	return (char *)mempcpy(to, p, (size_t)(end - p));
}
