#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "memory.h"
#include "utf8.h"

enum { GAP = 2, COLUMN_MIN = 9 /* narrower than this, nothing is cut */ };

struct cell {
	wchar_t *text;
	size_t num;   /* of characters */
	size_t width; /* of the terminal's columns */
};

struct column {
	struct cell header;
	unsigned kind;
	size_t width; /* of the widest cell, the header not counted */
};

struct table {
	bool utf8;
	struct column *columns;
	size_t num_columns;
	struct cell *cells;
	size_t num_cells;
};

struct table *
table_new(bool utf8)
{
	struct table *t = memory_alloc(1, sizeof *t);

	t->utf8 = utf8;
	return t;
}

void
table_free(struct table *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->num_columns; i++)
		free(t->columns[i].header.text);
	for (size_t i = 0; i < t->num_cells; i++)
		free(t->cells[i].text);
	free(t->columns);
	free(t->cells);
	free(t);
}

/* Whether C turns the direction of the text that follows. */
static bool
is_directional(unsigned c)
{
	return c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* C, or what is shown in its place: a blank for blanks of all kinds, a mark for what a terminal would act on. */
static wchar_t
harmless(unsigned c, bool utf8)
{
	if (c == '\n' || c == '\t' || c == '\r' || c == 0x2028 || c == 0x2029)
		return L' ';
	if (c < 0x80)
		return c < 0x20 || c == 0x7f ? L'?' : (wchar_t)c;
	if (!utf8)
		return L'?';
	return is_directional(c) || wcwidth((wchar_t)c) < 0 ? (wchar_t)UTF8_REPLACEMENT : (wchar_t)c;
}

static size_t
width_of(wchar_t c)
{
	int width = c < 0x80 ? 1 : wcwidth(c);

	return width < 0 ? 0 : (size_t)width;
}

static struct cell
cell_of(const char *text, bool utf8)
{
	struct cell cell = { NULL, 0, 0 };
	size_t room = 0;

	while (*text) {
		if (cell.num == room)
			cell.text = memory_resize(cell.text, room += 32, sizeof *cell.text);
		cell.text[cell.num] = harmless(utf8_decode(&text), utf8);
		cell.width += width_of(cell.text[cell.num++]);
	}
	return cell;
}

void
table_add_column(struct table *t, const char *header, unsigned kind)
{
	t->columns = memory_resize(t->columns, t->num_columns + 1, sizeof *t->columns);
	t->columns[t->num_columns++] = (struct column){ cell_of(header, t->utf8), kind, 0 };
}

void
table_add_cell(struct table *t, const char *text)
{
	struct column *column = &t->columns[t->num_cells % t->num_columns];
	struct cell cell = cell_of(text, t->utf8);

	if ((t->num_cells & (t->num_cells - 1)) == 0)
		t->cells = memory_resize(t->cells, t->num_cells ? 2 * t->num_cells : 1, sizeof *t->cells);
	t->cells[t->num_cells++] = cell;
	if (cell.width > column->width)
		column->width = cell.width;
}

/* The least width that a column can be cut to. */
static size_t
least_width(const struct column *c)
{
	size_t full = c->header.width > c->width ? c->header.width : c->width;
	size_t least = c->kind & TABLE_CUT_HEADER ? c->width : COLUMN_MIN;

	if (!(c->kind & (TABLE_CUT_END | TABLE_CUT_MIDDLE | TABLE_CUT_HEADER)))
		return full;
	if (least < COLUMN_MIN)
		least = COLUMN_MIN;
	return least < full ? least : full;
}

/* Takes columns off the widest that still can be cut, until all fit into WIDTH. */
static void
fit(const struct table *t, size_t *widths, size_t width)
{
	size_t total = GAP * (t->num_columns - 1);

	for (size_t i = 0; i < t->num_columns; i++) {
		const struct column *c = &t->columns[i];

		widths[i] = c->header.width > c->width ? c->header.width : c->width;
		total += widths[i];
	}
	while (width > 0 && total > width) {
		size_t *widest = NULL;

		for (size_t i = 0; i < t->num_columns; i++)
			if (widths[i] > least_width(&t->columns[i]) && (!widest || widths[i] >= *widest))
				widest = &widths[i];
		if (!widest)
			return;
		--*widest;
		total--;
	}
}

static void
print_characters(FILE *f, const wchar_t *text, size_t num)
{
	char bytes[UTF8_MAX];

	for (size_t i = 0; i < num; i++)
		fwrite(bytes, 1, (size_t)utf8_encode((unsigned)text[i], bytes), f);
}

/* The number of characters of CELL, from its start or (FROM_END) its end, that fit into ROOM; their width in *USED. */
static size_t
fitting(const struct cell *cell, size_t room, bool from_end, size_t *used)
{
	size_t n = 0;

	for (*used = 0; n < cell->num; n++) {
		size_t width = width_of(cell->text[from_end ? cell->num - 1 - n : n]);

		if (*used + width > room)
			break;
		*used += width;
	}
	return n;
}

/* Prints what fits of CELL with a mark for the rest; returns the width it took. */
static size_t
print_cut(FILE *f, const struct cell *cell, size_t width, bool middle, bool utf8)
{
	size_t tail_room = middle ? (width - 1) / 2 : 0, head_used, tail_used;
	size_t tail = fitting(cell, tail_room, true, &tail_used);
	size_t head = fitting(cell, width - 1 - tail_used, false, &head_used);

	print_characters(f, cell->text, head);
	fputs(utf8 ? "…" : "~", f);
	print_characters(f, cell->text + cell->num - tail, tail);
	return head_used + 1 + tail_used;
}

/* Prints CELL in WIDTH columns and the gap after them. Returns whether it was cut. */
static bool
print_cell(FILE *f, const struct table *t, const struct cell *cell, const struct column *column, size_t width)
{
	bool cut = cell->width > width, middle = column->kind & (TABLE_CUT_MIDDLE | TABLE_CUT_HEADER);
	size_t used = cell->width;

	if (column->kind & TABLE_RIGHT)
		for (; used < width; used++)
			fputc(' ', f);
	if (cut)
		used = print_cut(f, cell, width, middle, t->utf8);
	else
		print_characters(f, cell->text, cell->num);
	for (; used < width + GAP; used++)
		fputc(' ', f);
	return cut;
}

/* Takes the blanks at the ends of lines out of TEXT. */
static void
trim_lines(char *text)
{
	char *end = text;

	for (const char *p = text; *p; p++) {
		while (*p == '\n' && end > text && end[-1] == ' ')
			end--;
		*end++ = *p;
	}
	*end = '\0';
}

char *
table_text(const struct table *t, size_t width, bool *cut)
{
	size_t *widths = memory_alloc(t->num_columns, sizeof *widths), size;
	char *text;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		memory_exhausted();
	*cut = false;
	fit(t, widths, width);
	for (size_t i = 0; i < t->num_columns + t->num_cells; i++) {
		size_t c = i % t->num_columns;
		bool is_header = i < t->num_columns;
		const struct cell *cell = is_header ? &t->columns[c].header : &t->cells[i - t->num_columns];

		*cut |= print_cell(f, t, cell, &t->columns[c], widths[c]) && !is_header;
		if (c == t->num_columns - 1)
			fputc('\n', f);
	}
	free(widths);
	if (fclose(f) != 0)
		memory_exhausted();
	trim_lines(text);
	return text;
}

char *
table_harmless(const char *text, bool utf8)
{
	struct cell cell = cell_of(text, utf8);
	size_t size;
	char *line;
	FILE *f = open_memstream(&line, &size);

	if (!f)
		memory_exhausted();
	print_characters(f, cell.text, cell.num);
	free(cell.text);
	if (fclose(f) != 0)
		memory_exhausted();
	return line;
}
