#include "columns.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#include "batch.h"
#include "lines.h"
#include "memory.h"
#include "reader.h"

/* A look at a large file: at places, so many bytes apart at least, of so many bytes. */
enum { LOOK_PLACES = 4096, LOOK_APART_BYTES = 1 << 14, LOOK_BYTES = 1024, LOOK_FROM_BYTES = 1 << 24 };

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
		free(columns->list[i]->cells);
		free(columns->list[i]);
	}
	free(columns->list);
	labels_free(&columns->labels);
	memset(columns, 0, sizeof *columns);
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
	if (reader_take_line(r, line, size, lines->number) && !r->columns->parse_all) {
		line = lines_rest(lines, &end);
		line = reader_take_plain_rows(r, line, end);
		lines_skip(lines, line, r->parser.line - lines->number);
	}
	return error_is_set(r->e) ? -1 : 1;
}

static int
read_lines(struct reader *r)
{
	struct lines lines;
	int got = lines_open(&lines, r->parser.path, r->e);

	if (got == 0) {
		while ((got = take_lines(r, &lines)) > 0)
			;
		if (got == 0)
			got = reader_end(r);
	}
	lines_close(&lines);
	return got;
}

/* Takes rows from places all over the file, of which LINES is to have the header. Returns how many places have some. */
static size_t
look_around(struct reader *r, struct lines *lines, off_t file_size)
{
	char text[LOOK_BYTES + LINES_SPARE_BYTES] = { 0 };
	off_t places = file_size / LOOK_APART_BYTES < LOOK_PLACES ? file_size / LOOK_APART_BYTES : LOOK_PLACES;
	size_t num_places = 0;

	while (!r->has_heading)
		if (take_lines(r, lines) <= 0)
			return 0;
	for (off_t i = 0; i < places && !error_is_set(r->e); i++) {
		ssize_t size = pread(lines->fd, text, LOOK_BYTES, file_size / places * i);
		char *row = size > 0 ? memchr(text, '\n', (size_t)size) : NULL;

		if (row && reader_take_plain_rows(r, row + 1, text + size) > row + 1)
			num_places++;
	}
	batch_end(r->columns);
	return error_is_set(r->e) ? 0 : num_places;
}

size_t
columns_look(struct columns *columns, const char *path)
{
	struct error own = ERROR_NONE;
	struct reader r;
	struct lines lines;
	size_t num_places = 0;
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size < LOOK_FROM_BYTES)
		return 0;
	reader_open(&r, columns, path, &own);
	if (lines_open(&lines, path, &own) == 0)
		num_places = look_around(&r, &lines, st.st_size);
	lines_close(&lines);
	reader_close(&r);
	error_clear(&own);
	return num_places;
}

int
columns_read(struct columns *columns, const char *path, struct error *e)
{
	struct error own = ERROR_NONE;
	struct reader r;
	int status;

	reader_open(&r, columns, path, &own);
	status = read_lines(&r);
	batch_end(columns);
	reader_close(&r);
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
	reader_open(&source->reader, columns, path, &source->own);
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
		if (!source->reader.parser.in_row)
			source->size = lines_offset(&source->lines);
	batch_end(source->reader.columns);
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

	return fstat(source->lines.fd, &here) == 0 && stat(source->reader.parser.path, &there) == 0 && here.st_dev == there.st_dev &&
	    here.st_ino == there.st_ino && here.st_size >= source->size;
}

void
columns_close(struct columns_source *source)
{
	if (!source)
		return;
	lines_close(&source->lines);
	reader_close(&source->reader);
	error_clear(&source->own);
	free(source);
}
