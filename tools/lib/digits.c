#include "digits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

enum { DIGITS = 3, DIGITS_MAX = 17 };

static char *
rounded(double value, int digits, char text[DIGITS_TEXT_MAX])
{
	double size = fabs(value);
	int point;

	if (!isfinite(value) || (value == floor(value) && size < 1e9)) {
		snprintf(text, DIGITS_TEXT_MAX, "%.0f", value);
	} else if (size < 1e-4 || size >= 1e9) {
		snprintf(text, DIGITS_TEXT_MAX, "%.*g", digits, value);
	} else {
		snprintf(text, DIGITS_TEXT_MAX, "%.*e", digits - 1, value); /* 9.999 is 10.0 */
		value = atof(text);
		point = (int)floor(log10(fabs(value)));
		snprintf(text, DIGITS_TEXT_MAX, "%.*f", point < digits - 1 ? digits - 1 - point : 0, value);
	}
	return text;
}

char *
digits_text(double value, char text[DIGITS_TEXT_MAX])
{
	return rounded(value, DIGITS, text);
}

char *
digits_exact(double value, char text[DIGITS_TEXT_MAX])
{
	char repr[NUMBER_TEXT_MAX], *point;

	number_repr(value, repr);
	point = strstr(repr, ".0");
	if (point && point[2] == '\0')
		*point = '\0';
	snprintf(text, DIGITS_TEXT_MAX, "%s", repr);
	return text;
}

static int
side(double value, double threshold)
{
	return (value > threshold) - (value < threshold);
}

char *
digits_text_beside(double value, double threshold, char text[DIGITS_TEXT_MAX])
{
	int digits = DIGITS;

	while (side(atof(rounded(value, digits, text)), threshold) != side(value, threshold) && digits < DIGITS_MAX)
		digits++;
	return text;
}
