/* Numbers as text: read strictly, printed so that they read back the same. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdbool.h>

enum { NUMBER_TEXT_MAX = 64 };

/*
 * Reads the whole of TEXT as a decimal number with an optional sign, fraction and exponent; no
 * blanks, hexadecimal, infinity or NaN. False, and *VALUE untouched, if it is none or overflows.
 */
bool number_parse(const char *text, double *value);

/* The same for an integer between LOW and HIGH. */
bool number_parse_integer(const char *text, long low, long high, long *value);

/*
 * Prints VALUE as Python's repr does: the shortest digits that read back as the same double, a
 * point or an exponent always, "inf", "-inf" and "nan" for what is not finite. Returns TEXT.
 */
char *number_repr(double value, char text[NUMBER_TEXT_MAX]);

#endif
