#include "columns.h"

#include <csv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "cell.h"
#include "lines.h"
#include "memory.h"

enum { ROW_MAX_BYTES = LINES_MAX_BYTES, NAMES_SHOWN_MAX = 60 };

/* A file being read: lines go to libcsv, which calls take_cell() and end_row(). */
struct reader {
	struct columns *columns;
	struct error *e;
	const char *path;
	struct csv_parser parser;
	long line;               /* that the parser has */
	long row_line;           /* where the row began */
	size_t row_bytes;
	bool in_row;             /* from a line that is not blank to end_row() */
	bool row_failed;
	size_t cell;             /* cells of the row so far */
	char *fault;             /* of the row: the first cell that should be a number and is none, */
	long fault_line;         /* its line, */
	struct column *fault_in; /* and column */
	bool has_header;
	char **names;            /* of the header's cells */
	struct column **wishes;  /* for each of them who wants it */
	size_t num_names;
};

struct column *
columns_want(struct columns *columns, const char *name, enum column_kind kind, bool required)
{
	struct column *c;

	for (size_t i = 0; i < columns->count; i++) {
		c = columns->list[i];
		if (strcmp(c->name, name) == 0 && c->kind == kind) {
			c->required = c->required || required;
			return c;
		}
	}
	c = memory_alloc(1, sizeof *c);
	c->name = memory_string(name);
	c->kind = kind;
	c->required = required;
	columns->list = memory_resize(columns->list, columns->count + 1, sizeof(struct column *));
	columns->list[columns->count++] = c;
	return c;
}

void
columns_free(struct columns *columns)
{
	for (size_t i = 0; i < columns->count; i++) {
		free(columns->list[i]->name);
		free(columns->list[i]->values);
		free(columns->list[i]);
	}
	free(columns->list);
	labels_free(&columns->labels);
	memset(columns, 0, sizeof *columns);
}

static void
take_name(struct reader *r, char *text, size_t size)
{
	while (size > 0 && strchr(" \t", text[size - 1]))
		text[--size] = '\0';
	r->names = memory_resize(r->names, r->num_names + 1, sizeof *r->names);
	r->names[r->num_names++] = memory_string(text + strspn(text, " \t"));
}

static void
take_value(struct reader *r, struct column *c, char *text, size_t size)
{
	double value;

	if (c->kind == COLUMN_ERROR) {
		r->row_failed = text[strspn(text, " \t\r\n")] && !cell_is_missing(text);
	} else if (c->kind == COLUMN_LABEL) {
		c->cell = cell_is_missing(text) ? NAN : (double)labels_number(&r->columns->labels, text);
	} else if (cell_number(text, size, &value)) {
		c->cell = value;
	} else if (c->kind == COLUMN_METRIC) {
		c->cell_is_text = true;
	} else if (c->kind == COLUMN_NUMBER && !r->fault) {
		r->fault = memory_string(text);
		r->fault_line = r->line;
		r->fault_in = c;
	}
}

static void
take_cell(void *text, size_t size, void *reader)
{
	struct reader *r = reader;

	if (!r->in_row) { /* lines that end in CR alone are one line here, as they are for grep */
		r->in_row = true;
		r->row_line = r->line;
	}
	if (!r->has_header)
		take_name(r, text, size);
	else if (r->cell < r->num_names)
		for (struct column *c = r->wishes[r->cell]; c; c = c->next)
			take_value(r, c, text, size);
	r->cell++;
}

/* "the columns are a, b, c" (to be freed). */
static char *
names_text(const struct reader *r)
{
	char *text, shown[CELL_SHOWN_MAX];
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		memory_exhausted();
	for (size_t i = 0; i < r->num_names && i < NAMES_SHOWN_MAX; i++)
		fprintf(f, "%s%s", i ? ", " : r->num_names > 1 ? "the columns are " : "the only column is ",
		    cell_shown(r->names[i], shown));
	if (r->num_names > NAMES_SHOWN_MAX)
		fprintf(f, " and %zu more", r->num_names - NAMES_SHOWN_MAX);
	if (fclose(f) != 0)
		memory_exhausted();
	return text;
}

/* Wishes for the columns that nobody wished for. */
static void
want_others(struct reader *r)
{
	for (size_t n = 0; n < r->num_names; n++) {
		bool wanted = false;

		for (size_t i = 0; i < r->columns->count && !wanted; i++)
			wanted = strcmp(r->columns->list[i]->name, r->names[n]) == 0;
		if (!wanted)
			columns_want(r->columns, r->names[n], COLUMN_METRIC, false)->cell = NAN;
	}
}

static void
end_header(struct reader *r)
{
	char *names = NULL;

	if (r->columns->all)
		want_others(r);
	r->has_header = true;
	r->wishes = memory_alloc(r->num_names, sizeof(struct column *));
	for (size_t i = 0; i < r->columns->count; i++) {
		struct column *c = r->columns->list[i];

		for (size_t n = 0; n < r->num_names && !c->found; n++) {
			if (strcmp(c->name, r->names[n]) != 0)
				continue;
			c->found = true;
			c->next = r->wishes[n];
			r->wishes[n] = c;
		}
		if (!c->found && c->required) {
			names = names ? names : names_text(r);
			error_add(r->e, EX_DATAERR, r->path, r->row_line, "no column '%s'; %s", c->name, names);
		}
	}
	free(names);
}

static void
make_room(struct columns *columns)
{
	columns->room = columns->room ? columns->room * 2 : 1024;
	for (size_t i = 0; i < columns->count; i++)
		if (columns->list[i]->kind != COLUMN_ERROR)
			columns->list[i]->values = memory_resize(columns->list[i]->values, columns->room, sizeof(double));
}

/* Appends the row to the values, or hands it out. */
static void
append_row(struct reader *r)
{
	struct columns *columns = r->columns;

	if (!columns->take_row && columns->num_rows == columns->room)
		make_room(columns);
	for (size_t i = 0; i < columns->count; i++) {
		struct column *c = columns->list[i];

		if (r->row_failed && c->kind != COLUMN_STAMP)
			c->cell = NAN;
		c->is_text = c->is_text || (c->cell_is_text && !r->row_failed);
		c->cell_is_text = false;
		if (!columns->take_row && c->kind != COLUMN_ERROR)
			c->values[columns->num_rows] = c->cell;
	}
	if (columns->take_row)
		columns->take_row(columns->argument);
	for (size_t i = 0; i < columns->count; i++)
		columns->list[i]->cell = NAN;
	columns->num_rows++;
	columns->num_failed += r->row_failed;
}

static void
end_row(int terminator, void *reader)
{
	struct reader *r = reader;
	char shown[CELL_SHOWN_MAX];

	(void)terminator;
	if (!r->has_header)
		end_header(r);
	else if (error_is_set(r->e))
		; /* the first fault is enough */
	else if (r->cell != r->num_names)
		error_add(r->e, EX_DATAERR, r->path, r->row_line, "%zu cell%s; expected %zu, as many as the header has",
		    r->cell, r->cell == 1 ? "" : "s", r->num_names);
	else if (r->fault && !r->row_failed)
		error_add(r->e, EX_DATAERR, r->path, r->fault_line, "'%s' in column '%s'; expected a number",
		    cell_shown(r->fault, shown), r->fault_in->name);
	else
		append_row(r);
	free(r->fault);
	r->fault = NULL;
	r->cell = 0;
	r->in_row = r->row_failed = false;
}

/*
 * Gives libcsv a line. It is strict about quotes, so that text behind a closing quote does not swallow
 * the rows that follow; but a quote inside a cell without quotes is just that.
 */
static int
parse_line(struct reader *r, const char *line, size_t size)
{
	struct csv_parser *p = &r->parser;
	size_t n = csv_parse(p, line, size, take_cell, end_row, r);

	while (n < size && csv_error(p) == CSV_EPARSE && !p->quoted) {
		csv_set_opts(p, CSV_APPEND_NULL);
		n += csv_parse(p, line + n, 1, take_cell, end_row, r);
		csv_set_opts(p, CSV_APPEND_NULL | CSV_STRICT | CSV_STRICT_FINI);
		n += csv_parse(p, line + n, size - n, take_cell, end_row, r);
	}
	if (n == size)
		return 0;
	if (csv_error(p) == CSV_ENOMEM)
		memory_exhausted();
	return error_add(r->e, EX_DATAERR, r->path, r->line,
	    "text follows the quote that ends a cell; expected a comma, or the quote doubled");
}

static int
take_line(struct reader *r, char *line, size_t size)
{
	if (r->line == 1 && size >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0) {
		line += 3;
		size -= 3;
	}
	if (!r->in_row) {
		size_t blanks = 0;

		while (blanks < size && strchr(" \t\r\n", line[blanks]))
			blanks++;
		if (blanks == size)
			return 0;
		r->in_row = true;
		r->row_line = r->line;
		r->row_bytes = 0;
	}
	r->row_bytes += size;
	if (r->row_bytes > ROW_MAX_BYTES)
		return error_add(r->e, EX_DATAERR, r->path, r->row_line,
		    "a row of more than %d bytes; is a quote in it never closed?", ROW_MAX_BYTES);
	return parse_line(r, line, size);
}

static int
end_file(struct reader *r)
{
	if (csv_fini(&r->parser, take_cell, end_row, r) != 0)
		return error_add(r->e, EX_DATAERR, r->path, r->row_line,
		    "the file ends inside quotes, in the row that begins here");
	if (!r->has_header)
		return error_add(r->e, EX_DATAERR, r->path, 1, "the file is empty; expected a header with the names of the columns");
	return error_is_set(r->e) ? -1 : 0;
}

/* Cells keep their blanks, as in pandas. */
static int
no_space(unsigned char c)
{
	(void)c;
	return 0;
}

static int
read_lines(struct reader *r)
{
	struct lines lines;
	char *line;
	size_t size;
	int got = lines_open(&lines, r->path, r->e);

	if (got == 0) {
		while ((got = lines_next(&lines, &line, &size, r->e)) > 0) {
			r->line = lines.number;
			if (take_line(r, line, size) < 0 || error_is_set(r->e)) {
				got = -1;
				break;
			}
		}
		if (got == 0)
			got = end_file(r);
	}
	lines_close(&lines);
	return got;
}

int
columns_read(struct columns *columns, const char *path, struct error *e)
{
	struct error own = ERROR_NONE;
	struct reader r = { .columns = columns, .e = &own, .path = path };
	int status;

	if (csv_init(&r.parser, CSV_APPEND_NULL | CSV_STRICT | CSV_STRICT_FINI) != 0)
		memory_exhausted();
	csv_set_space_func(&r.parser, no_space);
	for (size_t i = 0; i < columns->count; i++)
		columns->list[i]->cell = NAN;
	status = read_lines(&r);
	csv_free(&r.parser);
	for (size_t i = 0; i < r.num_names; i++)
		free(r.names[i]);
	free(r.names);
	free(r.wishes);
	free(r.fault);
	if (error_is_set(&own))
		error_add(e, own.status, NULL, 0, "%s", own.text);
	error_clear(&own);
	return status;
}
