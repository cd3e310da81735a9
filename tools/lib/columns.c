#include "columns.h"

#include <csv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#include "cell.h"
#include "lines.h"
#include "memory.h"
#include "plain.h"

enum { ROW_MAX_BYTES = LINES_MAX_BYTES, NAMES_SHOWN_MAX = 60 };
enum { LOOK_PLACES = 1024, LOOK_BYTES = 4096, LOOK_FROM_BYTES = 1 << 24 };

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
	bool row_has_text;       /* in a COLUMN_METRIC */
	size_t cell;             /* cells of the row so far */
	char *fault;             /* of the row: the first cell that should be a number and is none, */
	long fault_line;         /* its line, */
	struct column *fault_in; /* and column */
	bool has_header;
	char **names;            /* of the header's cells */
	struct column **wishes;  /* for each of them who wants it */
	size_t num_names;
	size_t *wanted;          /* the indexes of the num_wanted cells that someone wants */
	size_t num_wanted;
	size_t *marks;           /* which of the ends of cells are around those, ascending */
	size_t num_marks;
	char **ends;             /* of the cells of a plain row, from its start on, which is the first */
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
		r->row_failed = *text && text[strspn(text, " \t\r\n")] && !cell_is_missing(text);
	} else if (c->kind == COLUMN_LABEL) {
		c->cell = cell_is_missing(text) ? NAN : (double)labels_number(&r->columns->labels, text, size);
	} else if (cell_number(text, size, &value)) {
		c->cell = value;
	} else {
		c->cell = NAN;
		if (c->kind == COLUMN_METRIC) {
			c->cell_is_text = r->row_has_text = true;
		} else if (c->kind == COLUMN_NUMBER && !r->fault) {
			r->fault = memory_string(text);
			r->fault_line = r->line;
			r->fault_in = c;
		}
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
	r->ends = memory_alloc(r->num_names, sizeof *r->ends);
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
	r->wanted = memory_alloc(r->num_names, sizeof *r->wanted);
	r->marks = memory_alloc(r->num_names, sizeof *r->marks);
	for (size_t n = 0; n < r->num_names; n++) {
		if (r->wishes[n])
			r->wanted[r->num_wanted++] = n;
		if (r->wishes[n] || (n + 1 < r->num_names && r->wishes[n + 1]))
			r->marks[r->num_marks++] = n;
	}
}

static void
make_room(struct columns *columns)
{
	columns->room = columns->room ? columns->room * 2 : 1024;
	for (size_t i = 0; i < columns->count; i++)
		if (columns->list[i]->kind != COLUMN_ERROR)
			columns->list[i]->values = memory_resize(columns->list[i]->values, columns->room, sizeof(double));
}

static void
fail_row(struct reader *r)
{
	for (size_t i = 0; i < r->columns->count; i++)
		if (r->columns->list[i]->kind != COLUMN_STAMP)
			r->columns->list[i]->cell = NAN;
	r->columns->num_failed++;
}

static void
note_texts(struct reader *r)
{
	for (size_t i = 0; i < r->columns->count; i++) {
		struct column *c = r->columns->list[i];

		c->is_text = c->is_text || (c->cell_is_text && !r->row_failed);
		c->cell_is_text = false;
	}
	r->row_has_text = false;
}

/* Appends the row to the values, or hands it out. */
static void
append_row(struct reader *r)
{
	struct columns *columns = r->columns;

	if (r->row_has_text)
		note_texts(r);
	if (r->row_failed)
		fail_row(r);
	if (columns->take_row) {
		columns->take_row(columns->argument);
	} else {
		if (columns->num_rows == columns->room)
			make_room(columns);
		for (size_t i = 0; i < columns->count; i++)
			if (columns->list[i]->kind != COLUMN_ERROR)
				columns->list[i]->values[columns->num_rows] = columns->list[i]->cell;
	}
	columns->num_rows++;
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

/* Takes the plain row that begins at TEXT and has its cells' ends in ENDS. False after a fault. */
static bool
take_plain_row(struct reader *r, char *text)
{
	for (size_t i = 0; i < r->num_wanted; i++) {
		size_t n = r->wanted[i];
		char *cell = n > 0 ? r->ends[n - 1] + 1 : text;

		*r->ends[n] = '\0';
		for (struct column *c = r->wishes[n]; c; c = c->next)
			take_value(r, c, cell, (size_t)(r->ends[n] - cell));
	}
	if (r->fault) {
		r->cell = r->num_names;
		end_row('\n', r);
		return !error_is_set(r->e);
	}
	append_row(r);
	r->row_failed = false;
	return true;
}

/*
 * Takes the plain rows from TEXT to END, where a byte may be overwritten and LINES_SPARE_BYTES are readable. They need no
 * parser; the first row that is not plain, or not whole, is for take_line(), which is right for all. Returns that row.
 */
static char *
take_plain_rows(struct reader *r, char *text, char *end)
{
	struct plain plain;
	char *next;

	*end = '"';
	plain_start(&plain, text, r->num_names, r->marks, r->num_marks);
	while ((r->num_names > 1 || *text > ' ') && (next = plain_next(&plain, r->ends))) {
		r->line++;
		if (!take_plain_row(r, text))
			break;
		text = next;
	}
	return text;
}

/* Takes the next line, and the plain rows that follow. Returns 1, 0 at the end, -1 after a fault. */
static int
take_lines(struct reader *r, struct lines *lines)
{
	char *line, *end;
	size_t size;
	int got = lines_next(lines, &line, &size, r->e);

	if (got <= 0)
		return got;
	r->line = lines->number;
	if (take_line(r, line, size) == 0 && !error_is_set(r->e) && r->has_header && !r->in_row && !r->columns->parse_all) {
		line = lines_rest(lines, &end);
		line = take_plain_rows(r, line, end);
		lines_skip(lines, line, r->line - lines->number);
	}
	return error_is_set(r->e) ? -1 : 1;
}

static int
read_lines(struct reader *r)
{
	struct lines lines;
	int got = lines_open(&lines, r->path, r->e);

	if (got == 0) {
		while ((got = take_lines(r, &lines)) > 0)
			;
		if (got == 0)
			got = end_file(r);
	}
	lines_close(&lines);
	return got;
}

/* Takes rows from places all over the file, of which LINES is to have the header. Returns how many places have some. */
static size_t
look_around(struct reader *r, struct lines *lines, off_t file_size)
{
	char text[LOOK_BYTES + LINES_SPARE_BYTES] = { 0 };
	size_t num_places = 0;

	while (!r->has_header)
		if (take_lines(r, lines) <= 0)
			return 0;
	for (off_t i = 0; i < LOOK_PLACES && !error_is_set(r->e); i++) {
		ssize_t size = pread(lines->fd, text, LOOK_BYTES, file_size / LOOK_PLACES * i);
		char *row = size > 0 ? memchr(text, '\n', (size_t)size) : NULL;

		if (row && take_plain_rows(r, row + 1, text + size) > row + 1)
			num_places++;
	}
	return error_is_set(r->e) ? 0 : num_places;
}

static void
open_reader(struct reader *r)
{
	if (csv_init(&r->parser, CSV_APPEND_NULL | CSV_STRICT | CSV_STRICT_FINI) != 0)
		memory_exhausted();
	csv_set_space_func(&r->parser, no_space);
	for (size_t i = 0; i < r->columns->count; i++)
		r->columns->list[i]->cell = NAN;
}

static void
close_reader(struct reader *r)
{
	csv_free(&r->parser);
	for (size_t i = 0; i < r->num_names; i++)
		free(r->names[i]);
	free(r->names);
	free(r->wishes);
	free(r->wanted);
	free(r->marks);
	free(r->ends);
	free(r->fault);
}

size_t
columns_look(struct columns *columns, const char *path)
{
	struct error own = ERROR_NONE;
	struct reader r = { .columns = columns, .e = &own, .path = path };
	struct lines lines;
	size_t num_places = 0;
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size < LOOK_FROM_BYTES)
		return 0;
	open_reader(&r);
	if (lines_open(&lines, path, &own) == 0)
		num_places = look_around(&r, &lines, st.st_size);
	lines_close(&lines);
	close_reader(&r);
	error_clear(&own);
	return num_places;
}

int
columns_read(struct columns *columns, const char *path, struct error *e)
{
	struct error own = ERROR_NONE;
	struct reader r = { .columns = columns, .e = &own, .path = path };
	int status;

	open_reader(&r);
	status = read_lines(&r);
	close_reader(&r);
	if (error_is_set(&own))
		error_add(e, own.status, NULL, 0, "%s", own.text);
	error_clear(&own);
	return status;
}

struct columns_source {
	struct reader reader;
	struct lines lines;
	struct error own;
	off_t size; /* up to the last whole row */
};

struct columns_source *
columns_open(struct columns *columns, const char *path, struct error *e)
{
	struct columns_source *source;
	struct stat st;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		error_add(e, EX_NOINPUT, path, 0, "is no regular file; expected one, which rows are appended to");
		return NULL;
	}
	source = memory_alloc(1, sizeof *source);
	source->reader = (struct reader){ .columns = columns, .e = &source->own, .path = path };
	open_reader(&source->reader);
	if (lines_open(&source->lines, path, e) < 0) {
		columns_close(source);
		return NULL;
	}
	source->lines.is_growing = true;
	return source;
}

int
columns_take_more(struct columns_source *source, struct error *e)
{
	int got;

	while ((got = take_lines(&source->reader, &source->lines)) > 0)
		if (!source->reader.in_row)
			source->size = lines_offset(&source->lines);
	if (error_is_set(&source->own))
		error_add(e, source->own.status, NULL, 0, "%s", source->own.text);
	return got;
}

off_t
columns_size(const struct columns_source *source)
{
	return source->size;
}

bool
columns_is_same_file(const struct columns_source *source)
{
	struct stat here, there;

	return fstat(source->lines.fd, &here) == 0 && stat(source->reader.path, &there) == 0 && here.st_dev == there.st_dev &&
	    here.st_ino == there.st_ino && here.st_size >= source->size;
}

void
columns_close(struct columns_source *source)
{
	if (!source)
		return;
	lines_close(&source->lines);
	close_reader(&source->reader);
	error_clear(&source->own);
	free(source);
}
