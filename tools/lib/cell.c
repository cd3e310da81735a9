#include "cell.h"

#include <csv.h>
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "decimal.h"
#include "number.h"

static const char *const missing_words[] = { "NA", "N/A", "n/a", "NaN", "nan", "-NaN", "-nan", "NULL", "null", "None",
	"<NA>", "#N/A", "#NA", "#N/A N/A", "1.#IND", "1.#QNAN", "-1.#IND", "-1.#QNAN" };

bool
cell_is_missing(const char *text)
{
	if (!*text)
		return true;
	if (*text != 'N' && *text != 'n' && *text != '-' && *text != '<' && *text != '#' && *text != '1')
		return false;
	for (size_t i = 0; i < sizeof missing_words / sizeof *missing_words; i++)
		if (strcmp(text, missing_words[i]) == 0)
			return true;
	return false;
}

static bool
parse_infinity(const char *text, double *value)
{
	const char *word = text + (*text == '-' || *text == '+');

	if (strcasecmp(word, "inf") != 0 && strcasecmp(word, "infinity") != 0)
		return false;
	*value = *text == '-' ? -INFINITY : INFINITY;
	return true;
}

static bool
parse_decimal(char *text, size_t size, double *value)
{
	char *end = text + size, after;
	bool is_number;

	while (isspace((unsigned char)*text))
		text++;
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	after = *end;
	*end = '\0';
	is_number = number_parse(text, value);
	*end = after;
	return is_number;
}

/* Most numbers that are whole are small. */
static bool
parse_small(const char *text, size_t size, double *value)
{
	int n = 0;

	if (size == 0 || size > 4)
		return false;
	for (size_t i = 0; i < size; i++) {
		if (!isdigit((unsigned char)text[i]))
			return false;
		n = n * 10 + text[i] - '0';
	}
	*value = n;
	return true;
}

bool
cell_number(char *text, size_t size, double *value)
{
	if (parse_small(text, size, value) || decimal_parse(text, text + size, value))
		return true;
	if (parse_decimal(text, size, value))
		return true;
	if (cell_is_missing(text)) {
		*value = NAN;
		return true;
	}
	return parse_infinity(text, value);
}

char *
cell_shown(const char *text, char out[CELL_SHOWN_MAX])
{
	size_t room = CELL_SHOWN_MAX - sizeof "...", size = strlen(text), n = size < room ? size : room;

	while (n < size && n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80)
		n--; /* not in the middle of a character */
	for (size_t i = 0; i < n; i++)
		out[i] = iscntrl((unsigned char)text[i]) ? '?' : text[i];
	strcpy(out + n, n < size ? "..." : "");
	return out;
}

void
cell_write(FILE *f, const char *text, char end)
{
	if (text[strcspn(text, ",\"\r\n")] != '\0' || *text == ' ')
		csv_fwrite(f, text, strlen(text));
	else
		fputs(text, f);
	fputc(end, f);
}
