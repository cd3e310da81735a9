#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

static int
add(struct error *e, int status, const char *file, long line, const char *fmt, va_list ap, const char *because)
{
	char *text, *old = e->text;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		memory_exhausted();
	if (old)
		fprintf(f, "%s\n", old);
	if (file)
		fprintf(f, "%s:", file);
	if (file && line > 0)
		fprintf(f, "%ld:", line);
	if (file)
		fputc(' ', f);
	vfprintf(f, fmt, ap);
	if (because)
		fprintf(f, ": %s", because);
	if (fclose(f) != 0)
		memory_exhausted();
	free(old);
	e->text = text;
	if (e->status == 0)
		e->status = status;
	return -1;
}

int
error_add(struct error *e, int status, const char *file, long line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add(e, status, file, line, fmt, ap, NULL);
	va_end(ap);
	return -1;
}

int
error_add_errno(struct error *e, int status, const char *file, const char *fmt, ...)
{
	const char *because = strerror(errno);
	va_list ap;

	va_start(ap, fmt);
	add(e, status, file, 0, fmt, ap, because);
	va_end(ap);
	return -1;
}

bool
error_is_set(const struct error *e)
{
	return e->status != 0;
}

void
error_clear(struct error *e)
{
	free(e->text);
	e->text = NULL;
	e->status = 0;
}
