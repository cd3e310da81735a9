#include "utf8.h"

#include <string.h>

#include "memory.h"

/* The number of bytes that a lead byte announces (0: it is none) and the smallest code point that needs them. */
static int
sequence_length(unsigned char lead, unsigned *smallest)
{
	static const unsigned first[] = { 0, 0, 0x80, 0x800, 0x10000 };
	int n = lead < 0x80 ? 1 : lead < 0xc0 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf8 ? 4 : 0;

	*smallest = first[n];
	return n;
}

unsigned
utf8_decode(const char **p)
{
	const unsigned char *s = (const unsigned char *)*p;
	unsigned smallest, c = *s;
	int n = sequence_length(*s, &smallest);

	++*p;
	if (n == 1)
		return c;
	if (n == 0)
		return UTF8_REPLACEMENT;
	c &= 0x7fu >> n;
	for (int i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return UTF8_REPLACEMENT;
		c = c << 6 | (s[i] & 0x3fu);
	}
	if (c < smallest || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return UTF8_REPLACEMENT;
	*p += n - 1;
	return c;
}

int
utf8_encode(unsigned c, char bytes[UTF8_MAX])
{
	int n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	if (n == 1) {
		bytes[0] = (char)c;
		return 1;
	}
	for (int i = n - 1; i > 0; i--, c >>= 6)
		bytes[i] = (char)(0x80 | (c & 0x3f));
	bytes[0] = (char)((0xf00u >> n & 0xf0) | c);
	return n;
}

char *
utf8_clean(const char *text)
{
	char *clean = memory_alloc(strlen(text) + 1, 3), *q = clean; /* a replacement takes three bytes */

	while (*text)
		q += utf8_encode(utf8_decode(&text), q);
	*q = '\0';
	return clean;
}
