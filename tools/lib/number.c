#include "number.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
is_decimal(const char *s)
{
	bool digits = false;

	s += (*s == '+' || *s == '-');
	for (; isdigit((unsigned char)*s); s++)
		digits = true;
	if (*s == '.')
		for (s++; isdigit((unsigned char)*s); s++)
			digits = true;
	if (digits && (*s == 'e' || *s == 'E')) {
		s++;
		s += (*s == '+' || *s == '-');
		if (!isdigit((unsigned char)*s))
			return false;
		while (isdigit((unsigned char)*s))
			s++;
	}
	return digits && *s == '\0';
}

bool
number_parse(const char *text, double *value)
{
	double v;

	if (!is_decimal(text))
		return false;
	v = strtod(text, NULL);
	if (!isfinite(v))
		return false;
	*value = v;
	return true;
}

bool
number_parse_integer(const char *text, long low, long high, long *value)
{
	char *end;
	long v;

	if (!isdigit((unsigned char)text[*text == '-' || *text == '+']))
		return false;
	errno = 0;
	v = strtol(text, &end, 10);
	if (errno || *end || v < low || v > high)
		return false;
	*value = v;
	return true;
}

enum { DIGITS_MAX = 20 };

/* The digits of VALUE (finite) without sign or point, and its decimal exponent: 0.d1d2d3... x 10^point. */
static int
shortest_digits(double value, char digits[DIGITS_MAX])
{
	char text[NUMBER_TEXT_MAX];
	int precision, n = 0;

	for (precision = 0; precision < 17; precision++) {
		snprintf(text, sizeof text, "%.*e", precision, fabs(value));
		if (strtod(text, NULL) == fabs(value))
			break;
	}
	for (const char *p = text; *p != 'e' && n < DIGITS_MAX - 1; p++)
		if (*p != '.')
			digits[n++] = *p;
	while (n > 1 && digits[n - 1] == '0')
		n--;
	digits[n] = '\0';
	return atoi(strchr(text, 'e') + 1) + 1;
}

char *
number_repr(double value, char text[NUMBER_TEXT_MAX])
{
	char digits[DIGITS_MAX];
	const char *sign = signbit(value) ? "-" : "";
	int point, n;

	if (!isfinite(value)) {
		snprintf(text, NUMBER_TEXT_MAX, "%s", isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
		return text;
	}
	point = shortest_digits(value, digits);
	n = (int)strlen(digits);
	if (point > 16 || point < -3)
		snprintf(text, NUMBER_TEXT_MAX, "%s%c%s%se%+03d", sign, digits[0], n > 1 ? "." : "", digits + 1, point - 1);
	else if (point <= 0)
		snprintf(text, NUMBER_TEXT_MAX, "%s0.%.*s%s", sign, -point, "000", digits);
	else if (n <= point)
		snprintf(text, NUMBER_TEXT_MAX, "%s%s%.*s.0", sign, digits, point - n, "0000000000000000");
	else
		snprintf(text, NUMBER_TEXT_MAX, "%s%.*s.%s", sign, point, digits, digits + point);
	return text;
}
