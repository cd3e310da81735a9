#include "rows.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "memory.h"

enum { BUFFER_SIZE = 1 << 16, CELL_MAX = 512 };

#define SECONDS_MAX 9e6 /* below it nanoseconds are whole numbers that a double holds */

struct rows {
	FILE *file;
	char *path;
	int failure; /* errno of the first write that failed */
	bool in_row;
	size_t used;
	char buffer[BUFFER_SIZE];
};

struct rows *
rows_open(const char *directory, const char *name, const char *header, struct error *e)
{
	char *path = memory_format("%s/%s", directory, name);
	FILE *file = fopen(path, "we");
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

static void
flush(struct rows *rows)
{
	if (!rows->failure && fwrite(rows->buffer, 1, rows->used, rows->file) != rows->used)
		rows->failure = errno ? errno : EIO;
	rows->used = 0;
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
	rows->in_row = false;
}

int
rows_close(struct rows *rows, struct error *e)
{
	int status = 0;

	if (!rows)
		return 0;
	flush(rows);
	if (fclose(rows->file) != 0 && !rows->failure)
		rows->failure = errno;
	if (rows->failure) {
		errno = rows->failure;
		status = error_add_errno(e, EX_IOERR, rows->path, "cannot write all rows");
	}
	free(rows->path);
	free(rows);
	return status;
}
