#include "lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "memory.h"

enum { READ_BYTES = 1 << 18 }; /* at once, so that they are in the cache while they are looked at */

int
lines_open(struct lines *lines, const char *path, struct error *e)
{
	memset(lines, 0, sizeof *lines);
	lines->path = path;
	lines->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (lines->fd < 0)
		return error_add_errno(e, EX_NOINPUT, path, "cannot open");
	lines->buffer = memory_resize(NULL, LINES_MAX_BYTES + LINES_SPARE_BYTES, 1); /* not touched before it is needed */
	return 0;
}

/* Reads more behind what is there; the rest of a line moves to the front. Returns the number of bytes, or -1. */
static ssize_t
fill(struct lines *lines)
{
	size_t room;
	ssize_t n;

	memmove(lines->buffer, lines->buffer + lines->begin, lines->end - lines->begin);
	lines->end -= lines->begin;
	lines->begin = 0;
	room = LINES_MAX_BYTES - lines->end;
	do
		n = read(lines->fd, lines->buffer + lines->end, room < READ_BYTES ? room : READ_BYTES);
	while (n < 0 && errno == EINTR);
	lines->end += n > 0 ? (size_t)n : 0;
	return n;
}

int
lines_next(struct lines *lines, char **line, size_t *size, struct error *e)
{
	char *newline;

	while (!(newline = memchr(lines->buffer + lines->begin, '\n', lines->end - lines->begin))) {
		ssize_t n;

		if (lines->end - lines->begin == LINES_MAX_BYTES)
			return error_add(e, EX_DATAERR, lines->path, lines->number + 1, "a line of more than %d bytes",
			    LINES_MAX_BYTES);
		n = fill(lines);
		if (n < 0)
			return error_add_errno(e, EX_IOERR, lines->path, "cannot read");
		if (n == 0 && (lines->begin == lines->end || lines->is_growing))
			return 0;
		if (n == 0)
			break;
	}
	*line = lines->buffer + lines->begin;
	*size = newline ? (size_t)(newline + 1 - *line) : lines->end - lines->begin;
	lines->begin += *size;
	lines->number++;
	if (memchr(*line, '\0', *size))
		return error_add(e, EX_DATAERR, lines->path, lines->number, "a NUL byte; expected text");
	return 1;
}

char *
lines_rest(struct lines *lines, char **end)
{
	*end = lines->buffer + lines->end;
	return lines->buffer + lines->begin;
}

void
lines_skip(struct lines *lines, const char *next, long count)
{
	lines->begin = (size_t)(next - lines->buffer);
	lines->number += count;
}

off_t
lines_offset(const struct lines *lines)
{
	off_t offset = lseek(lines->fd, 0, SEEK_CUR);

	return offset < 0 ? -1 : offset - (off_t)(lines->end - lines->begin);
}

void
lines_close(struct lines *lines)
{
	if (lines->fd >= 0)
		close(lines->fd);
	free(lines->buffer);
	lines->buffer = NULL;
	lines->fd = -1;
}
