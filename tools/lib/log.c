#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "memory.h"
#include "utf8.h"

enum { TAIL_BYTES = 4096, TAIL_LINES = 5, LINE_BYTES = 160 };

int
log_open(const char *directory, struct error *e)
{
	char *path = memory_format("%s/benchmark.log", directory);
	char *before = memory_format("%s.1", path);
	int fd = -1;

	if (rename(path, before) != 0 && errno != ENOENT)
		error_add_errno(e, EX_CANTCREAT, path, "cannot rename to benchmark.log.1");
	else if ((fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666)) < 0)
		error_add_errno(e, EX_CANTCREAT, path, "cannot create");
	free(before);
	free(path);
	return fd;
}

/* Behind the terminal's control sequence whose ESC is before P: [ parameters letter, or one byte. */
static const char *
skip_control(const char *p)
{
	if (*p == '[')
		for (p++; *p && (*p < 0x40 || *p > 0x7e); p++)
			continue;
	return *p ? p + 1 : p;
}

char *
log_printable(const char *bytes, size_t size)
{
	char *copy = memory_alloc(size + 1, 1), *text, *out;
	const char *p;

	for (size_t i = 0; i < size; i++)
		copy[i] = bytes[i] ? bytes[i] : ' ';
	text = out = memory_alloc(size + 1, 3); /* what is no UTF-8 becomes three bytes */
	for (p = copy; *p;) {
		unsigned c = utf8_decode(&p);

		if (c == 0x1b)
			p = skip_control(p);
		else
			out += utf8_encode(c < 0x20 || (c >= 0x7f && c < 0xa0) ? ' ' : c, out);
	}
	while (out > text && out[-1] == ' ')
		out--;
	*out = '\0';
	free(copy);
	return text;
}

/* The last bytes of PATH, SIZE at the most; how many. */
static size_t
read_end(const char *path, char *bytes, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	off_t end = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
	ssize_t n = 0;

	if (end > 0)
		n = pread(fd, bytes, size, end > (off_t)size ? end - (off_t)size : 0);
	if (fd >= 0)
		close(fd);
	return n > 0 ? (size_t)n : 0;
}

/* The last line of BYTES that is not blank, printable and not too long, or NULL; *SIZE shrinks to what is before it. */
static char *
take_last_line(const char *bytes, size_t *size)
{
	while (*size > 0) {
		size_t end = *size, start;
		char *line;

		for (start = end; start > 0 && bytes[start - 1] != '\n' && bytes[start - 1] != '\r'; start--)
			continue;
		*size = start > 0 ? start - 1 : 0;
		line = log_printable(bytes + start, end - start < LINE_BYTES ? end - start : LINE_BYTES);
		if (*line)
			return line;
		free(line);
	}
	return NULL;
}

char *
log_tail(const char *directory)
{
	char bytes[TAIL_BYTES], *path = memory_format("%s/benchmark.log", directory), *text = memory_string(""), *line;
	size_t size = read_end(path, bytes, sizeof bytes);

	for (int i = 0; i < TAIL_LINES && (line = take_last_line(bytes, &size)) != NULL; i++) {
		char *longer = memory_format("%s%s%s", line, *text ? " | " : "", text);

		free(line);
		free(text);
		text = longer;
	}
	free(path);
	return text;
}
