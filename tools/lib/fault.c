#include "fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "utf8.h"

int
fault_add(struct faults *faults, long line, const char *fmt, ...)
{
	char *text;
	va_list ap;

	if (fault_is_full(faults))
		return -1;
	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		memory_exhausted();
	va_end(ap);
	error_add(faults->error, faults->status, faults->file, line, "%s", text);
	free(text);
	if (++faults->count == FAULT_MAX)
		error_add(faults->error, faults->status, faults->file, 0, "these are %d faults; what follows was not looked at",
		    FAULT_MAX);
	return -1;
}

bool
fault_is_full(const struct faults *faults)
{
	return faults->count >= FAULT_MAX;
}

char *
fault_quote(const char *text, char buffer[FAULT_QUOTE_MAX])
{
	enum { CHARACTERS_MAX = 50 };
	char *out = buffer;

	*out++ = '\'';
	for (int n = 0; *text && n < CHARACTERS_MAX; n++) {
		unsigned c = utf8_decode(&text);

		if (c == '\n' || c == '\t')
			out += sprintf(out, "\\%c", c == '\n' ? 'n' : 't');
		else if (c < 0x20 || (c >= 0x7f && c < 0xa0))
			out += sprintf(out, "\\u%04x", c);
		else
			out += utf8_encode(c, out);
	}
	strcpy(out, *text ? "...'" : "'");
	return buffer;
}
