#include "stream.h"

#include <math.h>
#include <string.h>

static void
start_event(struct stream *s)
{
	chunk_start(&s->chunk);
	s->word_size = s->type_size = 0;
	s->has_data = false;
}

static void
start_line(struct stream *s)
{
	s->name_size = 0;
	s->is_behind_name = s->is_behind_colon = false;
}

void
stream_start(struct stream *s)
{
	memset(s, 0, offsetof(struct stream, chunk));
	s->prompt_tokens = s->completion_tokens = -1;
	s->is_behind_cr = false;
	start_event(s);
	start_line(s);
}

static bool
is_word(const char *bytes, size_t size, const char *word)
{
	return size == strlen(word) && memcmp(bytes, word, size) == 0;
}

static bool
name_is(const struct stream *s, const char *name)
{
	return is_word(s->name, s->name_size, name);
}

/* Adds bytes to the first ones, in ROOM. */
static void
keep_first(char room[STREAM_WORD], size_t *kept, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size && *kept < STREAM_WORD; i++)
		room[(*kept)++] = bytes[i];
}

static void
end_event(struct stream *s, double now)
{
	const struct chunk *c = &s->chunk;

	if (s->has_data && is_word(s->word, s->word_size, "[DONE]")) {
		s->is_finished = true;
	} else if (is_word(s->type, s->type_size, "error") || c->has_error) {
		s->fault = "error event";
	} else if (s->has_data && !chunk_is_whole(c)) {
		s->fault = "malformed event";
	} else if (c->has_abort) {
		s->fault = "aborted by the server";
	} else if (s->has_data) {
		s->is_finished |= c->has_finish;
		if (c->prompt_tokens >= 0)
			s->prompt_tokens = c->prompt_tokens;
		if (c->completion_tokens >= 0)
			s->completion_tokens = c->completion_tokens;
		if (c->has_text) {
			if (s->num_chunks++ == 0)
				s->first = now;
			s->last = now;
		}
	}
	if (!s->fault)
		start_event(s);
}

static void
end_line(struct stream *s, double now)
{
	if (s->name_size == 0 && !s->is_behind_name)
		end_event(s, now);
	else if (name_is(s, "data"))
		chunk_read(&s->chunk, "\n", 1);
	start_line(s);
}

static void
read_value(struct stream *s, const char *bytes, size_t size)
{
	if (!s->is_behind_colon && *bytes == ' ') {
		bytes++;
		size--;
	}
	s->is_behind_colon = true;
	if (name_is(s, "data")) {
		s->has_data = true;
		keep_first(s->word, &s->word_size, bytes, size);
		chunk_read(&s->chunk, bytes, size);
	} else if (name_is(s, "event")) {
		keep_first(s->type, &s->type_size, bytes, size);
	}
}

/* The part of a line at BYTES, no line end in it. */
static void
read_part(struct stream *s, const char *bytes, size_t size)
{
	while (size > 0 && !s->is_behind_name) {
		s->is_behind_name = *bytes == ':';
		if (!s->is_behind_name)
			keep_first(s->name, &s->name_size, bytes, 1);
		bytes++;
		size--;
	}
	if (size > 0)
		read_value(s, bytes, size);
}

void
stream_read(struct stream *s, const char *bytes, size_t size, double now)
{
	const char *end = bytes + size;

	while (bytes < end && !s->fault) {
		const char *newline = memchr(bytes, '\n', (size_t)(end - bytes)), *stop = newline ? newline : end;
		const char *cr = memchr(bytes, '\r', (size_t)(stop - bytes));

		if (s->is_behind_cr && *bytes == '\n') {
			s->is_behind_cr = false;
			bytes++;
			continue;
		}
		stop = cr ? cr : stop;
		s->is_behind_cr = false;
		read_part(s, bytes, (size_t)(stop - bytes));
		if (stop == end)
			return;
		s->is_behind_cr = *stop == '\r';
		end_line(s, now);
		bytes = stop + 1;
	}
}

void
stream_end(struct stream *s, double now)
{
	if (!s->fault && s->has_data)
		end_event(s, now);
	if (!s->fault && !s->is_finished)
		s->fault = "stream ended early";
	else if (!s->fault && s->num_chunks == 0)
		s->fault = "stream without a token";
}

double
stream_token_time(const struct stream *s)
{
	long tokens = s->completion_tokens >= 0 ? s->completion_tokens : s->num_chunks;

	return s->last > s->first && tokens > 1 ? (s->last - s->first) / (double)(tokens - 1) : NAN;
}
