/* The physical lines of a file, one after the other, in bounded memory. */
#ifndef LINES_H
#define LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "error.h"

enum {
	LINES_MAX_BYTES = 1 << 20, /* in one line, its newline included */
	LINES_SPARE_BYTES = 128
};

struct lines {
	const char *path; /* as given to lines_open(); it has to live as long */
	int fd;
	char *buffer;
	size_t begin, end; /* what is read and not yet handed out */
	long number;       /* of the line handed out last, from 1 */
	bool is_growing;   /* set by the caller: the file may get longer, and a last line without its newline is not handed out yet */
};

/* EX_NOINPUT if PATH cannot be opened. Returns 0 or -1; lines_close() it in either case. */
int lines_open(struct lines *lines, const char *path, struct error *e);

/*
 * Points *LINE to the next line of SIZE bytes, newline included where there is one; it stays until the next call.
 * Returns 1, 0 at the end (after which a file may have grown), -1 with EX_IOERR, or EX_DATAERR for a line that is too long
 * or holds a NUL byte.
 */
int lines_next(struct lines *lines, char **line, size_t *size, struct error *e);

/*
 * What is read and not yet handed out: whole lines, and the begin of one. Its end is at *END, with LINES_SPARE_BYTES more
 * bytes that may be written to. It stays until the next call of lines_next(), which goes on with it.
 */
char *lines_rest(struct lines *lines, char **end);

/* Takes the COUNT lines of the rest that end before NEXT for handed out. */
void lines_skip(struct lines *lines, const char *next, long count);

/* The bytes of the file that were handed out; -1: it is a pipe. */
off_t lines_offset(const struct lines *lines);
void lines_close(struct lines *lines);

#endif
