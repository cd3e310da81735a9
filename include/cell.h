/* One cell of a CSV file, read as pandas 2 reads it, and written. */
#ifndef CELL_H
#define CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CELL_SHOWN_MAX = 48 };

/* Whether TEXT is empty or one of the words for a missing value: NA, nan, null, None ... */
bool cell_is_missing(const char *text);

/*
 * The number in TEXT of SIZE bytes: decimal, with blanks around it, or inf or infinity in any case, without. NAN
 * where it is missing. False, and *VALUE untouched, for text and for numbers too large for a double. TEXT
 * may be written to but is as it was in the end.
 */
bool cell_number(char *text, size_t size, double *value);

/* TEXT fit for a message: on one line and not too long. Returns OUT. */
char *cell_shown(const char *text, char out[CELL_SHOWN_MAX]);

/* Writes TEXT as a cell, in quotes only where it needs them (RFC 4180), and the character END: a comma or a newline. */
void cell_write(FILE *f, const char *text, char end);

#endif
