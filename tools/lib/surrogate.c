#include "surrogate.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "json.h"

enum { PAIR_SIZE = 12 /* \ud83d\ude00 */, JOINED_SIZE = 10 /* \U0001F600 */ };

/* The code point of the escaped pair at the start of the SIZE bytes at S, or 0. */
static unsigned
pair_at(const char *s, size_t size)
{
	char text[PAIR_SIZE + 1];
	unsigned high, low;

	if (size < PAIR_SIZE)
		return 0;
	memcpy(text, s, PAIR_SIZE);
	text[PAIR_SIZE] = '\0';
	if (sscanf(text, "\\u%4x\\u%4x", &high, &low) != 2 || high >> 10 != 0xd800 >> 10 || low >> 10 != 0xdc00 >> 10)
		return 0;
	return 0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff);
}

static bool
is_json_object(const char *bytes, size_t size)
{
	struct error e = ERROR_NONE;
	struct json_object *object;
	bool is;

	if (size == 0 || bytes[strspn(bytes, " \t\r\n")] != '{')
		return false;
	object = json_parse(bytes, size, NULL, 0, &e);
	is = object != NULL;
	json_object_put(object);
	error_clear(&e);
	return is;
}

size_t
surrogate_join_json(char *bytes, size_t size)
{
	char joined[JOINED_SIZE + 1];
	size_t out = 0;
	unsigned c;

	if ((!strstr(bytes, "\\ud") && !strstr(bytes, "\\uD")) || !is_json_object(bytes, size))
		return size;
	for (size_t i = 0; i < size;) {
		if (bytes[i] != '\\') {
			bytes[out++] = bytes[i++];
		} else if ((c = pair_at(bytes + i, size - i)) != 0) {
			snprintf(joined, sizeof joined, "\\U%08X", c);
			memcpy(bytes + out, joined, JOINED_SIZE);
			out += JOINED_SIZE;
			i += PAIR_SIZE;
		} else { /* an escape of two characters, or the first two of a longer one */
			bytes[out++] = bytes[i++];
			bytes[out++] = bytes[i++];
		}
	}
	return out;
}
