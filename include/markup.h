/* Text made fit for HTML and SVG in UTF-8: whatever it is, it stays text. */
#ifndef MARKUP_H
#define MARKUP_H

#include <stdio.h>

/*
 * Writes TEXT so that it means itself, between tags and in attributes with quotes around them. What cannot be in a page, or would
 * change how the text beside it reads (bytes that are no UTF-8, control characters, marks of direction), shows as U+FFFD.
 */
void markup_text(FILE *f, const char *text);

/* The same for a name, which may be broken between lines behind each _ and @; not for attributes. */
void markup_name(FILE *f, const char *name);

/* Writes PATH as a relative URL, percent-encoded, fit for an attribute with quotes around it. No PATH becomes a scheme or a host. */
void markup_url(FILE *f, const char *path);

#endif
