#include "reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "batch.h"
#include "cell.h"
#include "decimal.h"
#include "memory.h"

/* Whether an error column's cell tells of an error. */
static bool
is_failure(const char *text)
{
	return text[strspn(text, " \t\r\n")] && !cell_is_missing(text);
}

static void
take_value(struct reader *r, struct column *c, char *text, size_t size)
{
	double *cell = &c->cells[r->columns->num_in_batch];

	if (c->kind == COLUMN_ERROR) {
		r->row_failed = is_failure(text);
	} else if (c->kind == COLUMN_LABEL) {
		*cell = cell_is_missing(text) ? NAN : (double)labels_number(&r->columns->labels, text, size);
	} else if (!cell_number(text, size, cell)) {
		*cell = NAN;
		if (c->kind == COLUMN_METRIC) {
			c->cell_is_text = r->row_has_text = true;
		} else if (c->kind == COLUMN_NUMBER && !r->fault) {
			r->fault = memory_string(text);
			r->fault_line = r->parser.line;
			r->fault_in = c;
		}
	}
}

static void
take_cell(char *text, size_t size, void *reader)
{
	struct reader *r = reader;

	if (!r->has_heading)
		heading_add(&r->heading, text, size);
	else if (r->cell < r->heading.count)
		for (struct column *c = r->heading.wishes[r->cell]; c; c = c->next)
			take_value(r, c, text, size);
	r->cell++;
}

static void
end_heading(struct reader *r)
{
	r->has_heading = true;
	heading_match(&r->heading, r->columns, r->parser.path, r->parser.row_line, r->e);
	batch_start(r->columns);
	plain_init(&r->plain, r->heading.count);
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

static void
end_row(void *reader)
{
	struct reader *r = reader;
	char shown[CELL_SHOWN_MAX];

	if (!r->has_heading) {
		end_heading(r);
	} else if (error_is_set(r->e)) {
		; /* the first fault is enough */
	} else if (r->cell != r->heading.count) {
		error_add(r->e, EX_DATAERR, r->parser.path, r->parser.row_line,
		    "%zu cell%s; expected %zu, as many as the header has", r->cell, r->cell == 1 ? "" : "s", r->heading.count);
	} else if (r->fault && !r->row_failed) {
		error_add(r->e, EX_DATAERR, r->parser.path, r->fault_line, "'%s' in column '%s'; expected a number",
		    cell_shown(r->fault, shown), r->fault_in->name);
	} else {
		if (r->row_has_text)
			note_texts(r);
		batch_add(r->columns, 1, &r->row_failed);
	}
	free(r->fault);
	r->fault = NULL;
	r->cell = 0;
	r->row_failed = false;
}

/* The end of cell N, which begins at CELL: before the comma, the newline, or CR and newline. */
static inline char *
cell_end(const struct reader *r, char *text, const char *cell, const uint32_t *ends, size_t n)
{
	char *end = text + ends[n];

	return n == r->heading.count - 1 && end > cell && end[-1] == '\r' ? end - 1 : end;
}

/* Takes a plain row that begins at ROW; ENDS has what ends its cells, from TEXT on. False after a fault. */
static bool
take_plain_row(struct reader *r, char *text, char *row, const uint32_t *ends)
{
	r->parser.line++;
	for (size_t i = 0; i < r->heading.num_wanted; i++) {
		size_t n = r->heading.wanted[i];
		char *cell = n > 0 ? text + ends[n - 1] + 1 : row, *end = cell_end(r, text, cell, ends, n);

		*end = '\0';
		for (struct column *c = r->heading.wishes[n]; c; c = c->next)
			take_value(r, c, cell, (size_t)(end - cell));
	}
	r->cell = r->heading.count;
	end_row(r);
	return !error_is_set(r->e);
}

/* The value of a cell that is not empty, or whether it tells of an error; what is overwritten meanwhile is as before. */
static bool
take_slowly(const struct column *c, char *cell, char *end, double *value, bool *is_failed)
{
	char after = *end;
	bool is_good = true;

	*end = '\0';
	if (c->kind == COLUMN_ERROR)
		*is_failed = is_failure(cell);
	else
		is_good = cell_number(cell, (size_t)(end - cell), value);
	*end = after;
	return is_good;
}

/*
 * Takes cell N of NUM plain rows for the wish C, and which of the rows FAILED where it is an error column. False for a cell that
 * has to be looked at with its row.
 */
static bool
take_plain_cells(struct reader *r, const struct column *c, size_t n, size_t num, char *text, char *row, const uint32_t *ends,
    bool *failed)
{
	double *cells = c->cells + r->columns->num_in_batch;
	bool is_number = c->kind != COLUMN_ERROR;

	if (c->kind == COLUMN_LABEL)
		return false;
	for (size_t i = 0; i < num; i++, row = text + ends[r->heading.count - 1] + 1, ends += r->heading.count) {
		char *cell = n > 0 ? text + ends[n - 1] + 1 : row, *end = cell_end(r, text, cell, ends, n);

		if (cell == end)
			cells[i] = NAN;
		else if (!(is_number && decimal_parse(cell, end, &cells[i])) && !take_slowly(c, cell, end, &cells[i], &failed[i]))
			return false;
	}
	return true;
}

/* Takes NUM plain rows column by column, which is faster. False, and none is taken, where a row has to be looked at whole. */
static bool
take_plain_columns(struct reader *r, char *text, char *row, const uint32_t *ends, size_t num)
{
	bool failed[COLUMNS_BATCH] = { false };

	if (r->heading.count == 1)
		return false; /* a line of blanks is no row there */
	for (size_t i = 0; i < r->heading.num_wanted; i++)
		for (struct column *c = r->heading.wishes[r->heading.wanted[i]]; c; c = c->next)
			if (!take_plain_cells(r, c, r->heading.wanted[i], num, text, row, ends, failed))
				return false;
	r->parser.line += (long)num;
	batch_add(r->columns, num, failed);
	return true;
}

/* Takes NUM plain rows one by one, up to one that is not to be taken. Returns what follows. */
static char *
take_plain_lines(struct reader *r, char *text, char *row, const uint32_t *ends, size_t num)
{
	for (; num > 0; num--, ends += r->heading.count) {
		char *next = text + ends[r->heading.count - 1] + 1;

		if ((r->heading.count == 1 && *row <= ' ') || !take_plain_row(r, text, row, ends))
			break;
		row = next;
	}
	return row;
}

char *
reader_take_plain_rows(struct reader *r, char *text, char *end)
{
	const uint32_t *ends;
	char *row = text;
	size_t num_rows;

	*end = '"';
	plain_start(&r->plain, text);
	while ((num_rows = plain_next(&r->plain, &ends)) > 0) {
		while (num_rows > 0) {
			size_t room = batch_room(r->columns), num = num_rows < room ? num_rows : room;
			char *next = text + ends[num * r->heading.count - 1] + 1;

			if (!take_plain_columns(r, text, row, ends, num) &&
			    (row = take_plain_lines(r, text, row, ends, num)) != next)
				return row;
			row = next;
			ends += num * r->heading.count;
			num_rows -= num;
		}
	}
	return row;
}

void
reader_open(struct reader *r, struct columns *columns, const char *path, struct error *e)
{
	*r = (struct reader){ .columns = columns, .e = e };
	parser_open(&r->parser, path);
	r->parser.take_cell = take_cell;
	r->parser.end_row = end_row;
	r->parser.argument = r;
}

bool
reader_take_line(struct reader *r, const char *line, size_t size, long number)
{
	r->parser.line = number;
	return parser_take_line(&r->parser, line, size, r->e) == 0 && !error_is_set(r->e) && r->has_heading && !r->parser.in_row;
}

int
reader_end(struct reader *r)
{
	if (parser_end(&r->parser, r->e) < 0)
		return -1;
	if (!r->has_heading)
		return error_add(r->e, EX_DATAERR, r->parser.path, 1,
		    "the file is empty; expected a header with the names of the columns");
	return error_is_set(r->e) ? -1 : 0;
}

void
reader_close(struct reader *r)
{
	parser_close(&r->parser);
	heading_free(&r->heading);
	plain_free(&r->plain);
	free(r->fault);
}
