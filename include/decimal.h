/* Decimal numbers as most of them are written, read many times faster than strtod() does. */
#ifndef DECIMAL_H
#define DECIMAL_H

#include <stdbool.h>

/*
 * The number from TEXT to END: digits with an optional sign, fraction and exponent, at most 19 of them behind leading
 * zeros. *VALUE is the double nearest to it, the one that strtod() gives. False, and *VALUE untouched, for
 * what is no such number, for large or small exponents, and for the rare one so near the middle of two doubles that it
 * takes more to tell (about one in 500): ask number_parse() then.
 */
bool decimal_parse(const char *text, const char *end, double *value);

#endif
