#include "memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

_Noreturn void
memory_exhausted(void)
{
	static const char text[] = "capacity-search: out of memory\n";

	if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
		_exit(EX_OSERR);
	_exit(EX_OSERR);
}

void *
memory_alloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);

	if (!p)
		memory_exhausted();
	return p;
}

void *
memory_resize(void *p, size_t count, size_t size)
{
	p = reallocarray(p, count ? count : 1, size ? size : 1);
	if (!p)
		memory_exhausted();
	return p;
}

char *
memory_string(const char *s)
{
	char *copy = strdup(s);

	if (!copy)
		memory_exhausted();
	return copy;
}

char *
memory_format(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		memory_exhausted();
	va_end(ap);
	return s;
}
