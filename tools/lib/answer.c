#include "answer.h"

#include <ctype.h>
#include <string.h>

enum state { STATUS, HEADER, BODY, UNTIL_END, CHUNK_SIZE, CHUNK, CHUNK_END, TRAILER };

static const char not_http[] = "answer is not HTTP";

void
answer_start(struct answer *a, bool is_head)
{
	memset(a, 0, offsetof(struct answer, line));
	a->is_head = is_head;
	a->line_size = 0;
}

/* Whether the header line is NAME, lower case; *VALUE is what it says. */
static bool
is_header(const char *line, const char *name, const char **value)
{
	size_t size = strlen(name);

	if (strncasecmp(line, name, size) != 0 || line[size] != ':')
		return false;
	*value = line + size + 1 + strspn(line + size + 1, " \t");
	return true;
}

static void
read_header(struct answer *a)
{
	const char *value;

	if (is_header(a->line, "content-length", &value)) {
		a->has_length = isdigit((unsigned char)*value);
		for (a->left = 0; isdigit((unsigned char)*value) && a->left < UINT64_MAX / 20; value++)
			a->left = 10 * a->left + (uint64_t)(*value - '0');
		if (!a->has_length || *value)
			a->fault = not_http;
	} else if (is_header(a->line, "transfer-encoding", &value)) {
		a->is_chunked = strcasestr(value, "chunked") != NULL;
	} else if (is_header(a->line, "connection", &value)) {
		if (strcasestr(value, "close"))
			a->is_kept = false;
		else if (strcasestr(value, "keep-alive"))
			a->is_kept = true;
	} else if (!strchr(a->line, ':') && a->line_size < ANSWER_LINE - 1) {
		a->fault = not_http;
	}
}

/* "HTTP/1.1 200 OK" */
static void
read_status(struct answer *a)
{
	const char *l = a->line;

	if (strncmp(l, "HTTP/1.", 7) != 0 || !isdigit((unsigned char)l[7]) || l[8] != ' ' || !isdigit((unsigned char)l[9]) ||
	    !isdigit((unsigned char)l[10]) || !isdigit((unsigned char)l[11]) || isdigit((unsigned char)l[12])) {
		a->fault = not_http;
		return;
	}
	a->status = 100 * (l[9] - '0') + 10 * (l[10] - '0') + l[11] - '0';
	a->is_kept = l[7] != '0';
	a->is_chunked = a->has_length = false;
	a->state = HEADER;
}

/* The headers are over. */
static void
start_body(struct answer *a)
{
	if (a->status < 200) {
		a->status = 0;
		a->state = STATUS;
		return;
	}
	if (a->is_head || a->status == 204 || a->status == 304)
		a->is_done = true;
	else if (a->is_chunked)
		a->state = CHUNK_SIZE;
	else if (a->has_length)
		a->state = BODY;
	else
		a->state = UNTIL_END;
	if (a->state == BODY)
		a->is_done |= a->left == 0;
	a->is_kept &= a->state != UNTIL_END;
}

static void
read_chunk_size(struct answer *a)
{
	const char *digit = a->line;

	for (a->left = 0; isxdigit((unsigned char)*digit) && a->left < UINT64_MAX / 32; digit++)
		a->left = 16 * a->left + (uint64_t)(isdigit((unsigned char)*digit) ? *digit - '0' : tolower((unsigned char)*digit) - 'a' + 10);
	if (digit == a->line || (*digit && !strchr("; \t", *digit)))
		a->fault = not_http;
	a->state = a->left > 0 ? CHUNK : TRAILER;
}

/* The line at hand, without its end. */
static void
read_line(struct answer *a)
{
	if (a->line_size > 0 && a->line[a->line_size - 1] == '\r')
		a->line_size--;
	a->line[a->line_size] = '\0';
	switch ((enum state)a->state) {
	case STATUS:
		read_status(a);
		break;
	case HEADER:
		if (*a->line)
			read_header(a);
		else
			start_body(a);
		break;
	case CHUNK_SIZE:
		read_chunk_size(a);
		break;
	case CHUNK_END:
		a->state = CHUNK_SIZE;
		if (*a->line)
			a->fault = not_http;
		break;
	default:
		a->is_done = !*a->line;
	}
	a->line_size = 0;
}

/* Takes bytes to the end of the line, if it is there. */
static const char *
take_line(struct answer *a, const char *bytes, const char *end)
{
	const char *newline = memchr(bytes, '\n', (size_t)(end - bytes)), *stop = newline ? newline : end;
	size_t size = (size_t)(stop - bytes), room = ANSWER_LINE - 1 - a->line_size;

	a->has_bytes = true;
	a->head_size += size + 1;
	if (a->head_size > ANSWER_HEAD_MAX)
		a->fault = "headers too long";
	memcpy(a->line + a->line_size, bytes, size < room ? size : room);
	a->line_size += size < room ? size : room;
	if (a->state == STATUS && memcmp(a->line, "HTTP/", a->line_size < 5 ? a->line_size : 5) != 0)
		a->fault = not_http; /* without waiting for a line that may never end */
	if (newline && !a->fault)
		read_line(a);
	return newline ? newline + 1 : end;
}

const char *
answer_read(struct answer *a, const char *bytes, const char *end, const char **body, size_t *size)
{
	*size = 0;
	while (bytes < end && !a->is_done && !a->fault && *size == 0) {
		if (a->state == BODY || a->state == CHUNK) {
			*size = a->left < (uint64_t)(end - bytes) ? (size_t)a->left : (size_t)(end - bytes);
			a->left -= *size;
			if (a->left == 0 && a->state == BODY)
				a->is_done = true;
			else if (a->left == 0)
				a->state = CHUNK_END;
		} else if (a->state == UNTIL_END) {
			*size = (size_t)(end - bytes);
		} else {
			bytes = take_line(a, bytes, end);
			continue;
		}
		*body = bytes;
		bytes += *size;
		a->head_size = 0;
	}
	return bytes;
}

void
answer_end(struct answer *a)
{
	a->is_kept = false;
	if (a->state == UNTIL_END)
		a->is_done = true;
	else if (!a->is_done && !a->fault)
		a->fault = a->has_bytes ? "answer cut off" : "closed without an answer";
}
