#include "scalar.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "number.h"

/*
 * The forms, where N stands for [0-9][0-9_]*; all but .5 and .nan may have a sign:
 *
 *   null      ~ null Null NULL, and nothing
 *   yes, no   yes true on, no false off: in small letters, capitals, or with a first capital
 *   integer   0b[01_]+  0x[0-9a-fA-F_]+  0[0-7_]+ (octal)  0  N  N(:[0-5]?[0-9])+ (to the base of 60);
 *             the last two do not start with 0
 *   float     N.[0-9_]*(e[+-][0-9]+)?  .N(e[+-][0-9]+)?  N(:[0-5]?[0-9])+.[0-9_]*  .inf  .nan
 */

#define DIGITS_AND_BARS "0123456789_"

static bool
is_one_of(const char *text, const char *const *words)
{
	while (*words && strcmp(text, *words) != 0)
		words++;
	return *words != NULL;
}

static const char *
skip_sign(const char *s)
{
	return s + (*s == '+' || *s == '-');
}

/* Behind the groups :[0-5]?[0-9] at S, or NULL if what follows a colon is none. */
static const char *
skip_sixties(const char *s)
{
	while (*s == ':') {
		s++;
		if (!isdigit((unsigned char)*s))
			return NULL;
		if (*s <= '5' && isdigit((unsigned char)s[1]))
			s++;
		s++;
	}
	return s;
}

/* Whether S is empty, or an exponent with a sign and nothing behind it. */
static bool
is_exponent_or_end(const char *s)
{
	if (*s == '\0')
		return true;
	if ((*s != 'e' && *s != 'E') || (s[1] != '+' && s[1] != '-') || !isdigit((unsigned char)s[2]))
		return false;
	return s[2 + strspn(s + 2, "0123456789")] == '\0';
}

static bool
is_integer(const char *s)
{
	s = skip_sign(s);
	if (s[0] == '0' && s[1] == 'b')
		return s[2] && !s[2 + strspn(s + 2, "01_")];
	if (s[0] == '0' && s[1] == 'x')
		return s[2] && !s[2 + strspn(s + 2, "0123456789abcdefABCDEF_")];
	if (s[0] == '0')
		return !s[strspn(s, "01234567_")];
	if (!isdigit((unsigned char)*s))
		return false;
	s = skip_sixties(s + strspn(s, DIGITS_AND_BARS));
	return s && *s == '\0';
}

static bool
is_float(const char *s)
{
	static const char *const infinite[] = { ".inf", ".Inf", ".INF", NULL };
	static const char *const nan[] = { ".nan", ".NaN", ".NAN", NULL };

	if (is_one_of(s, nan) || is_one_of(skip_sign(s), infinite))
		return true;
	if (s[0] == '.' && isdigit((unsigned char)s[1]))
		return is_exponent_or_end(s + 1 + strspn(s + 1, DIGITS_AND_BARS));
	s = skip_sign(s);
	if (!isdigit((unsigned char)*s))
		return false;
	s += strspn(s, DIGITS_AND_BARS);
	if (*s == '.')
		return is_exponent_or_end(s + 1 + strspn(s + 1, DIGITS_AND_BARS));
	s = *s == ':' ? skip_sixties(s) : NULL;
	return s && *s == '.' && !s[1 + strspn(s + 1, DIGITS_AND_BARS)];
}

/* Appends the DIGIT to *VALUE, a number to BASE. False on overflow. */
static bool
push_digit(int64_t *value, int base, int digit)
{
	return !__builtin_mul_overflow(*value, base, value) && !__builtin_add_overflow(*value, digit, value);
}

static int
digit_value(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* The value of digits to BASE, bars skipped, up to a colon or the end; negative ones when SIGN is -1. */
static bool
read_digits(const char **s, int base, int sign, int64_t *value, int *digits)
{
	for (; **s && **s != ':'; ++*s) {
		if (**s == '_')
			continue;
		if (!push_digit(value, base, sign * digit_value(**s)))
			return false;
		++*digits;
	}
	return true;
}

static struct scalar
integer_of(const char *s)
{
	struct scalar result = { .kind = SCALAR_INT };
	int sign = *s == '-' ? -1 : 1, base = 10, digits = 0;
	int64_t group;
	bool fits;

	s = skip_sign(s);
	if (*s == '0') {
		base = s[1] == 'b' ? 2 : s[1] == 'x' ? 16 : 8;
		s += base == 8 ? 0 : 2;
	}
	fits = read_digits(&s, base, sign, &result.integer, &digits);
	while (fits && *s == ':') {
		s++;
		group = 0;
		fits = read_digits(&s, 10, 1, &group, &digits) && push_digit(&result.integer, 60, sign * (int)group);
	}
	if (digits == 0)
		result.kind = SCALAR_NO_DIGITS;
	if (!fits)
		result.kind = SCALAR_TOO_LARGE;
	return result;
}

/* The value of the groups between colons: from the last one on, as PyYAML adds them up. */
static double
sum_of_sixties(char *text)
{
	double sum = 0, base = 1;
	size_t length = strlen(text);
	char *colon;

	for (; (colon = memrchr(text, ':', length)) != NULL; length = (size_t)(colon - text)) {
		*colon = '\0';
		sum += strtod(colon + 1, NULL) * base;
		base *= 60;
	}
	return sum + strtod(text, NULL) * base;
}

static struct scalar
float_of(const char *text)
{
	struct scalar result = { .kind = SCALAR_FLOAT };
	const char *s = skip_sign(text);
	char *digits;
	size_t n = 0;

	if (s[0] == '.' && isalpha((unsigned char)s[1])) {
		result.number = tolower((unsigned char)s[1]) == 'n' ? (double)NAN : (double)INFINITY;
	} else {
		digits = memory_alloc(strlen(s) + 1, 1);
		for (; *s; s++)
			if (*s != '_')
				digits[n++] = *s;
		result.number = sum_of_sixties(digits);
		free(digits);
	}
	if (*text == '-')
		result.number = -result.number;
	return result;
}

struct scalar
scalar_resolve(const char *text)
{
	static const char *const none[] = { "", "~", "null", "Null", "NULL", NULL };
	static const char *const yes[] = { "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON", NULL };
	static const char *const no[] = { "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF", NULL };

	if (is_one_of(text, none))
		return (struct scalar){ .kind = SCALAR_NULL };
	if (is_one_of(text, yes))
		return (struct scalar){ .kind = SCALAR_BOOL, .truth = true };
	if (is_one_of(text, no))
		return (struct scalar){ .kind = SCALAR_BOOL };
	if (is_integer(text))
		return integer_of(text);
	if (is_float(text))
		return float_of(text);
	return (struct scalar){ .kind = SCALAR_TEXT };
}

/* What TEXT is as that KIND; SCALAR_TEXT if it cannot be. */
static struct scalar
resolve_as(enum scalar_kind kind, const char *text)
{
	struct scalar result;
	double number;

	if (kind == SCALAR_NULL)
		return (struct scalar){ .kind = SCALAR_NULL };
	if (kind == SCALAR_FLOAT && number_parse(text, &number))
		return (struct scalar){ .kind = SCALAR_FLOAT, .number = number };
	result = scalar_resolve(text);
	if (result.kind != kind && result.kind != SCALAR_TOO_LARGE)
		result.kind = SCALAR_TEXT;
	return result;
}

bool
scalar_resolve_tagged(const char *tag, const char *text, struct scalar *scalar)
{
	static const struct { const char *tag; enum scalar_kind kind; } tags[] = {
		{ SCALAR_TAG_PREFIX "null", SCALAR_NULL }, { SCALAR_TAG_PREFIX "bool", SCALAR_BOOL },
		{ SCALAR_TAG_PREFIX "int", SCALAR_INT }, { SCALAR_TAG_PREFIX "float", SCALAR_FLOAT },
		{ SCALAR_TAG_PREFIX "str", SCALAR_TEXT }, { SCALAR_TAG_PREFIX "timestamp", SCALAR_TEXT },
	};

	for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
		if (strcmp(tag, tags[i].tag) != 0)
			continue;
		*scalar = (struct scalar){ .kind = SCALAR_TEXT };
		if (tags[i].kind != SCALAR_TEXT)
			*scalar = resolve_as(tags[i].kind, text);
		return scalar->kind == tags[i].kind || scalar->kind == SCALAR_TOO_LARGE;
	}
	return false;
}
