/* UTF-8, whatever the locale: text from logs and command lines made fit for JSON and for terminals. */
#ifndef UTF8_H
#define UTF8_H

enum { UTF8_REPLACEMENT = 0xfffd, UTF8_MAX = 4 };

/* The code point at *P, which moves behind it; UTF8_REPLACEMENT, and one byte, where the bytes are no UTF-8. */
unsigned utf8_decode(const char **p);

/* Writes CODE_POINT, without a NUL behind it; returns the number of bytes. */
int utf8_encode(unsigned code_point, char bytes[UTF8_MAX]);

/* TEXT with each byte that is no part of valid UTF-8 replaced (to be freed). */
char *utf8_clean(const char *text);

#endif
