/*
 * cs-json: JSON and CSV as jq can read them.
 *
 * Reads JSON values, one after the other, from FILE or standard input and prints each on a line, as it is but for what
 * jq refuses or loses: NaN, Infinity and -Infinity, which are no JSON, become null, and integers of more than 15
 * digits, which a double does not hold, become strings of their digits. With --csv it reads CSV instead (commas, cells
 * in double quotes may hold commas, newlines and doubled quotes; blank lines are skipped) and prints each row as
 * [LINE, [CELL, ...]], all cells strings. A byte order mark at the start is skipped. Locks nothing.
 *
 * Exit status: 0 printed, 64 usage, 65 the input is no such file (with the line, and nothing is printed after it),
 * 66 a file is missing, 74 I/O.
 */
#include <csv.h>
#include <getopt.h>
#include <inttypes.h>
#include <json-c/json_visit.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "error.h"
#include "file.h"
#include "json.h"
#include "memory.h"
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

static const int64_t whole_max = 999999999999999; /* the most that any double of so many digits tells apart */

static const struct option longopts[] = {
	{ "csv", no_argument, NULL, CSV },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, PROGRAM_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

static struct options {
	bool is_csv;
} options;

static int
print_null(struct json_object *value, struct printbuf *out, int level, int flags)
{
	(void)value, (void)level, (void)flags;
	return printbuf_memappend(out, "null", 4);
}

static int
print_digits(struct json_object *value, struct printbuf *out, int level, int flags)
{
	(void)level, (void)flags;
	return json_object_get_int64(value) < 0 ? sprintbuf(out, "\"%" PRId64 "\"", json_object_get_int64(value))
	    : sprintbuf(out, "\"%" PRIu64 "\"", json_object_get_uint64(value));
}

/* What json_c_visit() calls for each value. */
static int
make_readable(struct json_object *value, int flags, struct json_object *parent, const char *key, size_t *index, void *data)
{
	(void)flags, (void)parent, (void)key, (void)index, (void)data;
	if (json_object_is_type(value, json_type_double) && !isfinite(json_object_get_double(value)))
		json_object_set_serializer(value, print_null, NULL, NULL);
	if (json_object_is_type(value, json_type_int) &&
	    (json_object_get_int64(value) > whole_max || json_object_get_int64(value) < -whole_max))
		json_object_set_serializer(value, print_digits, NULL, NULL);
	return JSON_C_VISIT_RETURN_CONTINUE;
}

static const char *
plain(struct json_object *value)
{
	return json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
}

static int
print_json(const char *bytes, size_t size, const char *path, struct error *e)
{
	struct json_text text = { .bytes = bytes, .size = size, .file = path, .line = 1, .is_any_bytes = true };
	struct json_object *value;

	while (text.size > 0) {
		size_t blank = strspn(text.bytes, " \t\r\n");

		if (blank == text.size)
			break;
		if (json_parse_next(&text, &value, e) < 0)
			return -1;
		json_c_visit(value, 0, make_readable, NULL);
		puts(plain(value));
		json_object_put(value);
	}
	return 0;
}

/* A row of CSV. */
struct row {
	long line; /* on which it begins */
	struct json_object *cells;
};

static void
take_cell(void *cell, size_t size, void *row)
{
	struct row *r = row;

	json_object_array_add(r->cells, json_object_new_string_len(cell, (int)size));
}

static void
end_row(int end, void *row)
{
	struct row *r = row;

	(void)end;
	printf("[%ld,%s]\n", r->line, plain(r->cells));
	json_object_put(r->cells);
	r->cells = json_object_new_array();
}

static int
no_space(unsigned char c)
{
	(void)c;
	return 0;
}

static int
refuse(struct csv_parser *parser, const char *path, long line, char found, struct error *e)
{
	if (csv_error(parser) == CSV_ENOMEM)
		memory_exhausted();
	return error_add(e, EX_DATAERR, path, line, "found '%c', expected a comma or the end of the line behind a cell in quotes, "
	    "and a quote nowhere else but at the start of a cell", found);
}

/* Line by line, for the numbers of the rows' first ones. */
static int
parse_csv(struct csv_parser *parser, const char *bytes, size_t size, const char *path, struct error *e)
{
	struct row row = { .cells = json_object_new_array() };
	const char *end = bytes + size, *next;
	int status = 0;

	for (long line = 1; bytes < end && status == 0; bytes = next, line++) {
		const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
		size_t parsed;

		next = newline ? newline + 1 : end;
		if (!parser->quoted)
			row.line = line;
		if (memchr(bytes, '\0', (size_t)(next - bytes)))
			status = error_add(e, EX_DATAERR, path, line, "found the byte 0x00, expected text");
		else if ((parsed = csv_parse(parser, bytes, (size_t)(next - bytes), take_cell, end_row, &row)) < (size_t)(next - bytes))
			status = refuse(parser, path, line, bytes[parsed], e);
	}
	if (status == 0 && csv_fini(parser, take_cell, end_row, &row) != 0)
		status = error_add(e, EX_DATAERR, path, row.line, "found the end of the file, expected the quote that ends a cell");
	json_object_put(row.cells);
	return status;
}

static int
print_csv(const char *bytes, size_t size, const char *path, struct error *e)
{
	struct csv_parser parser;
	int status;

	if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
		memory_exhausted();
	csv_set_space_func(&parser, no_space);
	status = parse_csv(&parser, bytes, size, path, e);
	csv_free(&parser);
	return status;
}

int
main(int argc, char **argv)
{
	struct error e = ERROR_NONE;
	const char *path = FILE_STANDARD_INPUT;
	char *bytes;
	size_t size, mark;
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
	mark = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	if ((options.is_csv ? print_csv : print_json)(bytes + mark, size - mark, path, &e) < 0)
		status = program_report(&e);
	free(bytes);
	return program_finish(status);
}
