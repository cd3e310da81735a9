#include "parser.h"

#include <string.h>
#include <sysexits.h>

#include "lines.h"
#include "memory.h"

enum { ROW_MAX_BYTES = LINES_MAX_BYTES };

static int
no_space(unsigned char c)
{
	(void)c;
	return 0;
}

void
parser_open(struct parser *parser, const char *path)
{
	memset(parser, 0, sizeof *parser);
	parser->path = path;
	if (csv_init(&parser->csv, CSV_APPEND_NULL | CSV_STRICT | CSV_STRICT_FINI) != 0)
		memory_exhausted();
	csv_set_space_func(&parser->csv, no_space);
}

void
parser_close(struct parser *parser)
{
	csv_free(&parser->csv);
}

static void
begin_row(struct parser *parser)
{
	parser->in_row = true;
	parser->row_line = parser->line;
	parser->row_bytes = 0;
}

static void
take_cell(void *text, size_t size, void *argument)
{
	struct parser *parser = argument;

	if (!parser->in_row) /* lines that end in CR alone are one line here, as they are for grep */
		begin_row(parser);
	parser->take_cell(text, size, parser->argument);
}

static void
end_row(int terminator, void *argument)
{
	struct parser *parser = argument;

	(void)terminator;
	parser->end_row(parser->argument);
	parser->in_row = false;
}

/* Strict about quotes, but for one inside a cell without quotes. */
static int
parse(struct parser *parser, const char *line, size_t size, struct error *e)
{
	struct csv_parser *csv = &parser->csv;
	size_t n = csv_parse(csv, line, size, take_cell, end_row, parser);

	while (n < size && csv_error(csv) == CSV_EPARSE && !csv->quoted) {
		csv_set_opts(csv, CSV_APPEND_NULL);
		n += csv_parse(csv, line + n, 1, take_cell, end_row, parser);
		csv_set_opts(csv, CSV_APPEND_NULL | CSV_STRICT | CSV_STRICT_FINI);
		n += csv_parse(csv, line + n, size - n, take_cell, end_row, parser);
	}
	if (n == size)
		return 0;
	if (csv_error(csv) == CSV_ENOMEM)
		memory_exhausted();
	return error_add(e, EX_DATAERR, parser->path, parser->line,
	    "text follows the quote that ends a cell; expected a comma, or the quote doubled");
}

static bool
is_blank(const char *line, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (!strchr(" \t\r\n", line[i]))
			return false;
	return true;
}

int
parser_take_line(struct parser *parser, const char *line, size_t size, struct error *e)
{
	if (parser->line == 1 && size >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0) {
		line += 3;
		size -= 3;
	}
	if (!parser->in_row) {
		if (is_blank(line, size))
			return 0;
		begin_row(parser);
	}
	parser->row_bytes += size;
	if (parser->row_bytes > ROW_MAX_BYTES)
		return error_add(e, EX_DATAERR, parser->path, parser->row_line,
		    "a row of more than %d bytes; is a quote in it never closed?", ROW_MAX_BYTES);
	return parse(parser, line, size, e);
}

int
parser_end(struct parser *parser, struct error *e)
{
	if (csv_fini(&parser->csv, take_cell, end_row, parser) != 0)
		return error_add(e, EX_DATAERR, parser->path, parser->row_line,
		    "the file ends inside quotes, in the row that begins here");
	return 0;
}
