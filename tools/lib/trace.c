#include "trace.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "file.h"
#include "memory.h"
#include "number.h"

enum { CELLS_MAX = 256 };

#define TOKENS_MAX 1e9

static const char *const time_names[] = { "arrival_time", "arrived_at", "Time", "TIMESTAMP", NULL };
static const char *const prefill_names[] = { "num_prefill_tokens", "prefill_tokens", "PromptTokenCount", "ContextTokens",
	NULL };
static const char *const decode_names[] = { "num_decode_tokens", "decode_tokens", "CompletionTokenCount", "GeneratedTokens",
	NULL };

const struct trace_column trace_request_columns[3] = { { time_names, TRACE_TIME }, { prefill_names, TRACE_TOKENS },
	{ decode_names, TRACE_TOKENS } };

struct reader {
	const char *path;
	char *rest;                 /* of the file; NULL at its end */
	long line;                  /* the number of the line in cells */
	char *cells[CELLS_MAX];
	size_t num_cells;
	const struct trace_column *columns;
	size_t *places, filter_place; /* of the wanted columns among the cells */
	size_t num_header;
	const struct trace_filter *filter;
};

/* Days from 1970-01-01 to the first of a month, in the Gregorian calendar. */
static long
days_before(long year, long month)
{
	static const int before[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };
	long leap_year = year - (month <= 2);

	return 365 * (year - 1970) + leap_year / 4 - leap_year / 100 + leap_year / 400 - 477 + before[month - 1];
}

/* Reads the second of a time, 50.995, and UTC's mark behind it, if there is one. */
static bool
read_second(const char *text, double *second)
{
	char digits[NUMBER_TEXT_MAX];
	size_t size = strspn(text, "0123456789.");

	if (size >= sizeof digits || !(strcmp(text + size, "") == 0 || strcmp(text + size, "Z") == 0 ||
	    strcmp(text + size, "+00:00") == 0))
		return false;
	memcpy(digits, text, size);
	digits[size] = '\0';
	return number_parse(digits, second);
}

int
trace_time(const char *text, double *seconds)
{
	int year, month, day, hour = 0, minute = 0, used = 0;
	double second = 0;

	if (number_parse(text, seconds))
		return 0;
	if (sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &used) != 3)
		return -1;
	text += used;
	if (*text && *text != ' ' && *text != 'T')
		return -1;
	if (*text && (sscanf(text + 1, "%2d:%2d:%n", &hour, &minute, &used) != 2 || !read_second(text + 1 + used, &second)))
		return -1;
	if (month < 1 || month > 12 || day < 1 || day > 31 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second >= 61)
		return -1;
	*seconds = ((double)(days_before(year, month) + day - 1) * 24 + hour) * 3600 + minute * 60 + second;
	return 0;
}

/* The cell at *REST, made a string; *REST goes to the one behind it, or NULL. NULL if its quotes are wrong. */
static char *
next_cell(char **rest)
{
	char *cell = *rest, *from = cell, *to = cell;
	bool more;

	if (*from == '"') {
		for (from++; *from && (*from != '"' || from[1] == '"'); *to++ = *from++)
			from += *from == '"';
		if (*from++ != '"' || (*from && *from != ','))
			return NULL;
	} else {
		to = from += strcspn(from, ",");
	}
	more = *from == ',';
	*to = '\0';
	*rest = more ? from + 1 : NULL;
	return cell;
}

/* Splits the next line that is not blank into cells. Returns 1, 0 at the end, -1 for a line that is no row. */
static int
next_row(struct reader *r, struct error *e)
{
	char *line = NULL, *cell;
	size_t size = 0;

	while (r->rest && size == 0) {
		line = r->rest;
		r->line++;
		size = strcspn(line, "\n");
		r->rest = line[size] ? line + size + 1 : NULL;
		size -= size > 0 && line[size - 1] == '\r';
		line[size] = '\0';
		size -= strspn(line, " \t");
	}
	if (size == 0)
		return 0;
	for (r->num_cells = 0; line; r->cells[r->num_cells++] = cell) {
		if (r->num_cells == CELLS_MAX)
			return error_add(e, EX_DATAERR, r->path, r->line, "more than %d cells", CELLS_MAX);
		if ((cell = next_cell(&line)) == NULL)
			return error_add(e, EX_DATAERR, r->path, r->line, "the quotes of cell %zu do not match", r->num_cells + 1);
	}
	return 1;
}

static bool
find_place(const struct reader *r, const char *name, size_t *place)
{
	for (*place = 0; *place < r->num_cells; ++*place)
		if (strcmp(r->cells[*place], name) == 0)
			return true;
	return false;
}

/* Finds the wanted columns in the header, which is in the cells. */
static int
read_header(struct reader *r, size_t num_columns, struct error *e)
{
	for (size_t i = 0; i < num_columns; i++) {
		const char *const *name = r->columns[i].names;

		while (*name && !find_place(r, *name, &r->places[i]))
			name++;
		if (!*name)
			error_add(e, EX_DATAERR, r->path, r->line, "no column %s", r->columns[i].names[0]);
	}
	if (r->filter && !find_place(r, r->filter->name, &r->filter_place))
		error_add(e, EX_DATAERR, r->path, r->line, "no column %s", r->filter->name);
	r->num_header = r->num_cells;
	return error_is_set(e) ? -1 : 0;
}

static int
read_cell(const struct reader *r, size_t i, double *value, struct error *e)
{
	const char *text = r->cells[r->places[i]];

	if (r->columns[i].kind == TRACE_TIME && trace_time(text, value) < 0)
		return error_add(e, EX_DATAERR, r->path, r->line, "%s '%s': expected seconds, or YYYY-MM-DD HH:MM:SS",
		    r->columns[i].names[0], text);
	if (r->columns[i].kind == TRACE_TOKENS && (!number_parse(text, value) || *value < 0 || *value > TOKENS_MAX))
		return error_add(e, EX_DATAERR, r->path, r->line, "%s '%s': expected a number from 0 to %g",
		    r->columns[i].names[0], text, TOKENS_MAX);
	return 0;
}

/* Adds the row in the cells to TRACE, unless the filter holds it back. */
static int
add_row(struct reader *r, struct trace *trace, size_t *room, struct error *e)
{
	if (r->num_cells != r->num_header)
		return error_add(e, EX_DATAERR, r->path, r->line, "%zu cells; expected %zu as in the header", r->num_cells,
		    r->num_header);
	if (r->filter && strcmp(r->cells[r->filter_place], r->filter->text) != 0)
		return 0;
	if (trace->num_rows == *room) {
		*room = *room ? 2 * *room : 1024;
		trace->values = memory_resize(trace->values, *room * trace->num_columns, sizeof *trace->values);
	}
	for (size_t i = 0; i < trace->num_columns; i++)
		if (read_cell(r, i, &trace->values[trace->num_rows * trace->num_columns + i], e) < 0)
			return -1;
	trace->num_rows++;
	return 0;
}

static int
read_rows(struct reader *r, struct trace *trace, struct error *e)
{
	size_t room = 0;
	int got = next_row(r, e);

	if (got == 0)
		return error_add(e, EX_DATAERR, r->path, 0, "the file is empty; expected a header and rows");
	if (got < 0 || read_header(r, trace->num_columns, e) < 0)
		return -1;
	while ((got = next_row(r, e)) > 0)
		if (add_row(r, trace, &room, e) < 0)
			return -1;
	if (got == 0 && trace->num_rows == 0)
		return r->filter
		    ? error_add(e, EX_DATAERR, r->path, 0, "no row has %s '%s'", r->filter->name, r->filter->text)
		    : error_add(e, EX_DATAERR, r->path, 0, "no rows below the header");
	return got;
}

int
trace_read(const char *path, const struct trace_column *columns, size_t num_columns, const struct trace_filter *filter,
    struct trace *trace, struct error *e)
{
	struct reader r = { .path = path, .columns = columns, .filter = filter };
	size_t size;
	char *bytes = file_read(path, &size, e);
	int status = -1;

	*trace = (struct trace){ NULL, 0, num_columns };
	if (!bytes)
		return -1;
	r.places = memory_alloc(num_columns, sizeof *r.places);
	r.rest = bytes + (strncmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
	if (strlen(bytes) != size)
		error_add(e, EX_DATAERR, path, 0, "a NUL byte; expected text");
	else
		status = read_rows(&r, trace, e);
	free(r.places);
	free(bytes);
	if (status < 0)
		trace_free(trace);
	return status;
}

struct sorted_row {
	double key;
	size_t place;
};

static int
compare_rows(const void *a, const void *b)
{
	const struct sorted_row *x = a, *y = b;

	return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->place > y->place) - (x->place < y->place);
}

void
trace_sort(struct trace *trace)
{
	size_t n = trace->num_rows, width = trace->num_columns;
	struct sorted_row *rows = memory_alloc(n, sizeof *rows);
	double *sorted = memory_alloc(n * width, sizeof *sorted);

	for (size_t i = 0; i < n; i++)
		rows[i] = (struct sorted_row){ trace->values[i * width], i };
	qsort(rows, n, sizeof *rows, compare_rows);
	for (size_t i = 0; i < n; i++)
		memcpy(&sorted[i * width], &trace->values[rows[i].place * width], width * sizeof *sorted);
	free(rows);
	free(trace->values);
	trace->values = sorted;
}

struct trace
trace_part(const struct trace *trace, size_t first, size_t count)
{
	struct trace part = { memory_alloc(trace->num_rows * count, sizeof *part.values), trace->num_rows, count };

	for (size_t i = 0; i < trace->num_rows; i++)
		memcpy(&part.values[i * count], &trace->values[i * trace->num_columns + first], count * sizeof *part.values);
	return part;
}

void
trace_free(struct trace *trace)
{
	free(trace->values);
	*trace = (struct trace){ NULL, 0, 0 };
}
