/*
 * cs-json: JSON and CSV as jq can read them.
 *
 * Reads JSON values, one after the other, from FILE or standard input and prints them as they are but for what jq
 * refuses or loses: NaN, Infinity and -Infinity, which are no JSON, become null, and integers of more than 15 digits,
 * which a double does not hold, become strings of their digits. With --csv it reads CSV instead (commas, cells in double
 * quotes may hold commas, newlines and doubled quotes; blank lines are skipped) and prints each row as
 * [LINE, [CELL, ...]], all cells strings. A byte order mark at the start is skipped. Locks nothing.
 *
 * Exit status: 0 printed, 64 usage, 65 the input is no such file (with the line, and nothing is printed after it),
 * 66 a file is missing, 74 I/O.
 */
#include <ctype.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "error.h"
#include "file.h"
#include "program.h"

static const char help[] =
	"Usage: cs-json [--csv] [FILE]\n"
	"Print the JSON in FILE, or on standard input, as jq can read it: NaN and Infinity as null,\n"
	"integers of more than 15 digits as strings.\n"
	"\n"
	"      --csv                        FILE is CSV: print each row as [LINE, [CELL, ...]]\n"
	PROGRAM_HELP_LINES
	"\n"
	"Exit status: 0 printed, 65 FILE is not what it should be, 64 and up other errors.\n"
	"\n"
	"Example: echo '{\"at\": 1764622380000000001, \"rate\": Infinity}' | cs-json | jq .at\n";

enum { CSV = 256 };
enum { LEVELS_MAX = 200, DIGITS_MAX = 15 };

static const struct option longopts[] = {
	{ "csv", no_argument, NULL, CSV },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, PROGRAM_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

static struct options {
	bool is_csv;
} options;

/* A place in the input, which has a NUL behind it. */
struct scan {
	const char *path;
	const char *p, *end;
	const char *copied; /* what stands before it is printed */
	long line;
	struct error *e;
};

static int
refuse(const struct scan *s, const char *expected)
{
	if (s->p >= s->end)
		return error_add(s->e, EX_DATAERR, s->path, s->line, "found the end of the file, expected %s", expected);
	if (isgraph((unsigned char)*s->p))
		return error_add(s->e, EX_DATAERR, s->path, s->line, "found '%c', expected %s", *s->p, expected);
	return error_add(s->e, EX_DATAERR, s->path, s->line, "found the byte 0x%02x, expected %s",
	    (unsigned char)*s->p, expected);
}

static void
skip_blanks(struct scan *s)
{
	for (; s->p < s->end && strchr(" \t\r\n", *s->p) && *s->p; s->p++)
		s->line += *s->p == '\n';
}

/* Prints what was scanned before FROM as it is, then TEXT in place of what was scanned since. */
static void
replace(struct scan *s, const char *from, const char *text)
{
	fwrite(s->copied, 1, (size_t)(from - s->copied), stdout);
	fputs(text, stdout);
	s->copied = s->p;
}

static int
scan_string(struct scan *s)
{
	if (*s->p != '"')
		return refuse(s, "a string");
	for (s->p++; s->p < s->end && *s->p != '"'; s->p++) {
		if ((unsigned char)*s->p < ' ')
			return refuse(s, "the rest of a string");
		if (*s->p != '\\')
			continue;
		s->p++;
		if (s->p >= s->end || !*s->p || !strchr("\"\\/bfnrtu", *s->p))
			return refuse(s, "one of \"\\/bfnrtu behind a backslash");
		for (int i = 0; *s->p == 'u' && i < 4; i++)
			if (!isxdigit((unsigned char)s->p[1 + i])) {
				s->p += 1 + i;
				return refuse(s, "four hexadecimal digits");
			}
	}
	if (s->p >= s->end)
		return refuse(s, "the end of a string");
	s->p++;
	return 0;
}

static bool
skip_digits(struct scan *s)
{
	const char *start = s->p;

	while (isdigit((unsigned char)*s->p))
		s->p++;
	return s->p > start;
}

static int
scan_number(struct scan *s)
{
	const char *start = s->p, *digits;
	bool is_integer = true;

	s->p += *s->p == '-';
	digits = s->p;
	if (!skip_digits(s))
		return refuse(s, "a digit");
	if (*digits == '0' && s->p - digits > 1) {
		s->p = digits;
		return refuse(s, "a number without a leading zero");
	}
	if (*s->p == '.') {
		is_integer = false;
		s->p++;
		if (!skip_digits(s))
			return refuse(s, "a digit");
	}
	if (*s->p == 'e' || *s->p == 'E') {
		is_integer = false;
		s->p++;
		s->p += *s->p == '+' || *s->p == '-';
		if (!skip_digits(s))
			return refuse(s, "a digit");
	}
	if (is_integer && s->p - digits > DIGITS_MAX) {
		replace(s, start, "\"");
		fwrite(start, 1, (size_t)(s->p - start), stdout);
		putchar('"');
	}
	return 0;
}

/* A word or a number. */
static int
scan_plain(struct scan *s)
{
	static const struct {
		const char *word, *print; /* NULL: as it is */
	} words[] = {
		{ "true", NULL }, { "false", NULL }, { "null", NULL },
		{ "NaN", "null" }, { "Infinity", "null" }, { "-Infinity", "null" },
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t n = strlen(words[i].word);
		const char *start = s->p;

		if (strncmp(s->p, words[i].word, n) != 0 || isalnum((unsigned char)s->p[n]))
			continue;
		s->p += n;
		if (words[i].print)
			replace(s, start, words[i].print);
		return 0;
	}
	if (*s->p == '-' || isdigit((unsigned char)*s->p))
		return scan_number(s);
	return refuse(s, "a JSON value");
}

static int scan_value(struct scan *s, int level);

/* A list or an object, whose last byte is CLOSE. */
static int
scan_container(struct scan *s, char close, int level)
{
	s->p++;
	skip_blanks(s);
	if (s->p < s->end && *s->p == close) {
		s->p++;
		return 0;
	}
	for (;;) {
		if (close == '}') {
			skip_blanks(s);
			if (scan_string(s) < 0)
				return -1;
			skip_blanks(s);
			if (*s->p != ':')
				return refuse(s, "a colon");
			s->p++;
		}
		if (scan_value(s, level) < 0)
			return -1;
		skip_blanks(s);
		if (*s->p == close) {
			s->p++;
			return 0;
		}
		if (*s->p != ',')
			return refuse(s, close == '}' ? "a comma or '}'" : "a comma or ']'");
		s->p++;
	}
}

static int
scan_value(struct scan *s, int level)
{
	if (level >= LEVELS_MAX)
		return error_add(s->e, EX_DATAERR, s->path, s->line, "found more than %d levels of lists and objects, "
		    "expected fewer", LEVELS_MAX);
	skip_blanks(s);
	if (*s->p == '{')
		return scan_container(s, '}', level + 1);
	if (*s->p == '[')
		return scan_container(s, ']', level + 1);
	if (*s->p == '"')
		return scan_string(s);
	return scan_plain(s);
}

static int
print_json(struct scan *s)
{
	for (;;) {
		skip_blanks(s);
		if (s->p >= s->end)
			break;
		if (scan_value(s, 0) < 0)
			return -1;
		replace(s, s->p, ""); /* what stands before an error is out */
	}
	replace(s, s->end, "\n");
	return 0;
}

static void
print_character(char c)
{
	if (c == '"' || c == '\\')
		printf("\\%c", c);
	else if ((unsigned char)c < ' ')
		printf("\\u%04x", (unsigned)c);
	else
		putchar(c);
}

/* One cell; the place stands at what ends it. */
static int
print_cell(struct scan *s)
{
	bool is_quoted = s->p < s->end && *s->p == '"';

	putchar('"');
	for (s->p += is_quoted; s->p < s->end; s->p++) {
		if (is_quoted ? *s->p == '"' && s->p[1] != '"' : *s->p == ',' || *s->p == '\n' ||
		    (*s->p == '\r' && s->p[1] == '\n'))
			break;
		if (!*s->p)
			return refuse(s, "text");
		s->p += is_quoted && *s->p == '"';
		s->line += *s->p == '\n';
		print_character(*s->p);
	}
	putchar('"');
	if (!is_quoted)
		return 0;
	if (s->p >= s->end)
		return refuse(s, "the quote that ends a cell");
	s->p++;
	if (s->p < s->end && !strchr(",\r\n", *s->p))
		return refuse(s, "a comma or the end of the line behind a cell in quotes");
	return 0;
}

static int
print_csv(struct scan *s)
{
	while (s->p < s->end) {
		bool is_blank = *s->p == '\n' || (*s->p == '\r' && s->p[1] == '\n');

		if (!is_blank) {
			printf("[%ld,[", s->line);
			for (;;) {
				if (print_cell(s) < 0)
					return -1;
				if (*s->p != ',')
					break;
				putchar(*s->p++);
			}
			puts("]]");
		}
		s->p += *s->p == '\r';
		s->line += *s->p == '\n';
		s->p += *s->p == '\n';
	}
	return 0;
}

int
main(int argc, char **argv)
{
	struct error e = ERROR_NONE;
	const char *path = FILE_STANDARD_INPUT;
	struct scan scan = { .line = 1, .e = &e };
	char *bytes;
	size_t size;
	int option, status = 0;

	program_start("cs-json");
	while ((option = getopt_long(argc, argv, "h", longopts, NULL)) != -1) {
		if (option == 'h')
			return program_help(help);
		if (option == PROGRAM_OPTION_VERSION)
			return program_version();
		if (option == '?')
			return program_usage("expected the options that --help lists");
		options.is_csv = true;
	}
	if (argc - optind > 1)
		return program_usage("found %d files, expected one", argc - optind);
	if (optind < argc && strcmp(argv[optind], "-") != 0)
		path = argv[optind];
	bytes = file_read(path, &size, &e);
	if (!bytes)
		return program_report(&e);
	scan.path = path;
	scan.p = scan.copied = bytes + (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
	scan.end = bytes + size;
	if ((options.is_csv ? print_csv(&scan) : print_json(&scan)) < 0)
		status = program_report(&e);
	free(bytes);
	return program_finish(status);
}
