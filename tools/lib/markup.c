#include "markup.h"

#include <stdbool.h>
#include <string.h>

#include "utf8.h"

/* Controls other than tab and newline, marks of direction, and what is no character. */
static bool
is_harmful(unsigned c)
{
	if (c < 0x20)
		return c != '\t' && c != '\n';
	return (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
	    (c >= 0x2066 && c <= 0x2069) || (c >= 0xfdd0 && c <= 0xfdef) || (c & 0xfffe) == 0xfffe;
}

static void
write_text(FILE *f, const char *text, const char *breaks)
{
	char bytes[UTF8_MAX];

	while (*text) {
		unsigned c = utf8_decode(&text);

		if (is_harmful(c))
			c = UTF8_REPLACEMENT;
		if (c < 0x80 && strchr("<>&\"'", (int)c))
			fprintf(f, "&#%u;", c);
		else
			fwrite(bytes, 1, (size_t)utf8_encode(c, bytes), f);
		if (c < 0x80 && strchr(breaks, (int)c))
			fputs("<wbr>", f);
	}
}

void
markup_text(FILE *f, const char *text)
{
	write_text(f, text, "");
}

void
markup_name(FILE *f, const char *name)
{
	write_text(f, name, "_@");
}

void
markup_url(FILE *f, const char *path)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";

	if (path[0] == '/' && path[1] == '/') /* else the name of a host would follow */
		fputs("/.", f);
	for (; *path; path++) {
		if (strchr(plain, *path))
			fputc(*path, f);
		else
			fprintf(f, "%%%02X", (unsigned char)*path);
	}
}
