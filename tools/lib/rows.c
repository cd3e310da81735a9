#include "rows.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "memory.h"

enum { BUFFER_SIZE = 1 << 16, CELL_MAX = 512 };

#define SECONDS_MAX 9e6 /* below it nanoseconds are whole numbers that a double holds */

struct rows {
	FILE *file;
	char *path;
	int failure; /* errno of the first write that failed */
	bool in_row;
	size_t used, ended; /* bytes in the buffer; those of rows that were ended */
	char buffer[BUFFER_SIZE];
};

/* Takes PATH over. */
static struct rows *
open_rows(FILE *file, char *path, const char *header, struct error *e)
{
	struct rows *rows;

	if (!file) {
		error_add_errno(e, EX_CANTCREAT, path, "cannot create");
		free(path);
		return NULL;
	}
	setvbuf(file, NULL, _IONBF, 0);
	rows = memory_alloc(1, sizeof *rows);
	rows->file = file;
	rows->path = path;
	rows_text(rows, header);
	rows_end(rows);
	return rows;
}

struct rows *
rows_open(const char *directory, const char *name, const char *header, struct error *e)
{
	char *path = memory_format("%s/%s", directory, name);

	return open_rows(fopen(path, "we"), path, header, e);
}

struct rows *
rows_open_output(const char *header, struct error *e)
{
	int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);

	return open_rows(fd < 0 ? NULL : fdopen(fd, "w"), memory_string("standard output"), header, e);
}

/* Writes whole rows; a row longer than the buffer in parts. */
static void
flush(struct rows *rows)
{
	size_t size = rows->ended ? rows->ended : rows->used;

	if (!rows->failure && fwrite(rows->buffer, 1, size, rows->file) != size)
		rows->failure = errno ? errno : EIO;
	memmove(rows->buffer, rows->buffer + size, rows->used - size);
	rows->used -= size;
	rows->ended = 0;
}

/* Room for one more cell, with the comma before it written. */
static char *
start_cell(struct rows *rows)
{
	if (rows->used + CELL_MAX > BUFFER_SIZE)
		flush(rows);
	if (rows->in_row)
		rows->buffer[rows->used++] = ',';
	rows->in_row = true;
	return rows->buffer + rows->used;
}

void
rows_text(struct rows *rows, const char *text)
{
	size_t size = strlen(text);
	char *cell = start_cell(rows);

	if (size > CELL_MAX - 2)
		size = CELL_MAX - 2;
	memcpy(cell, text, size);
	rows->used += size;
}

static size_t
print_whole(char *at, uint64_t n)
{
	char digits[20];
	size_t count = 0;

	do
		digits[count++] = (char)('0' + n % 10);
	while ((n /= 10) > 0);
	for (size_t i = 0; i < count; i++)
		at[i] = digits[count - 1 - i];
	return count;
}

void
rows_count(struct rows *rows, uint64_t count)
{
	char *cell = start_cell(rows);

	rows->used += print_whole(cell, count);
}

void
rows_seconds(struct rows *rows, double seconds)
{
	char *cell = start_cell(rows), *p = cell;
	uint64_t nanoseconds, part;
	int digits = 9;

	if (!(seconds >= 0 && seconds < SECONDS_MAX)) {
		rows->used += (size_t)snprintf(cell, CELL_MAX - 2, "%.9f", seconds);
		return;
	}
	nanoseconds = (uint64_t)(seconds * 1e9 + 0.5);
	p += print_whole(p, nanoseconds / 1000000000);
	part = nanoseconds % 1000000000;
	if (part > 0) {
		*p++ = '.';
		for (; part % 10 == 0; digits--)
			part /= 10;
		for (int i = digits - 1; i >= 0; i--, part /= 10)
			p[i] = (char)('0' + part % 10);
		p += digits;
	}
	rows->used += (size_t)(p - cell);
}

void
rows_end(struct rows *rows)
{
	rows->buffer[rows->used++] = '\n'; /* start_cell() left room for it */
	rows->ended = rows->used;
	rows->in_row = false;
}

void
rows_quoted(struct rows *rows, const char *text)
{
	char quoted[CELL_MAX - 2], *to = quoted;

	if (!text[strcspn(text, ",\"\r\n")]) {
		rows_text(rows, text);
		return;
	}
	*to++ = '"';
	for (; *text && to < quoted + sizeof quoted - 4; text++) {
		if (*text == '"')
			*to++ = '"';
		*to++ = *text;
	}
	memcpy(to, "\"", 2);
	rows_text(rows, quoted);
}

static int
report(struct rows *rows, struct error *e)
{
	if (!rows->failure)
		return 0;
	errno = rows->failure;
	return error_add_errno(e, EX_IOERR, rows->path, "cannot write all rows");
}

int
rows_flush(struct rows *rows, struct error *e)
{
	if (rows->ended)
		flush(rows);
	return report(rows, e);
}

int
rows_close(struct rows *rows, struct error *e)
{
	int status;

	if (!rows)
		return 0;
	flush(rows);
	if (fclose(rows->file) != 0 && !rows->failure)
		rows->failure = errno;
	status = report(rows, e);
	free(rows->path);
	free(rows);
	return status;
}
