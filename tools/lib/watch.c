#include "watch.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"

void
watch_init(struct watch *w, FILE *out)
{
	memset(w, 0, sizeof *w);
	w->out = out;
	w->terminal = isatty(fileno(out));
}

void
watch_free(struct watch *w)
{
	free(w->last);
	free(w->partial);
	memset(w, 0, sizeof *w);
}

/* Takes the block away: up to its first line, and clear from there. */
static void
erase(struct watch *w)
{
	if (w->terminal && w->lines > 0)
		fprintf(w->out, "\033[%zuA\r\033[J", w->lines);
	w->lines = 0;
}

void
watch_draw(struct watch *w, const char *block)
{
	if (!w->terminal && w->last && strcmp(w->last, block) == 0)
		return;
	erase(w);
	fputs(block, w->out);
	fflush(w->out);
	for (const char *p = block; *p; p++)
		w->lines += *p == '\n';
	free(w->last);
	w->last = memory_string(block);
}

/* Prints the whole lines that have come, above the block. */
static void
print_messages(struct watch *w)
{
	char *newline = memrchr(w->partial, '\n', w->num_partial);
	size_t whole = newline ? (size_t)(newline + 1 - w->partial) : 0;

	if (whole == 0)
		return;
	erase(w);
	fwrite(w->partial, 1, whole, w->out);
	fflush(w->out);
	w->num_partial -= whole;
	memmove(w->partial, w->partial + whole, w->num_partial);
}

bool
watch_wait(struct watch *w, int fd, double seconds)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char bytes[4096];
	bool at_end;
	ssize_t n;

	if (poll(&p, 1, (int)(seconds * 1000)) <= 0)
		return true;
	n = read(fd, bytes, sizeof bytes);
	if (n < 0)
		return errno == EINTR;
	at_end = n == 0;
	if (at_end && w->num_partial > 0)
		bytes[n++] = '\n'; /* the last line is one without it, too */
	w->partial = memory_resize(w->partial, w->num_partial + (size_t)n + 1, 1);
	memcpy(w->partial + w->num_partial, bytes, (size_t)n);
	w->num_partial += (size_t)n;
	print_messages(w);
	if (at_end)
		erase(w);
	return !at_end;
}
