/*
 * Server-sent events of an OpenAI-style completion, read as their bytes come, in constant memory: when the
 * first and the last token came, how many there were, and whether the stream went wrong.
 *
 * A stream is lines that end in LF, CRLF or CR. An event is the lines up to an empty one: those that begin with
 * "data:" hold a chunk (see chunk.h) or the word [DONE]; "event: error" makes the event an error.
 * Other lines do not matter.
 */
#ifndef STREAM_H
#define STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "chunk.h"

enum { STREAM_WORD = 8 };

struct stream {
	double first, last;   /* when the first and the last chunk with text came; seconds; 0: none did */
	long num_chunks;      /* with text */
	long prompt_tokens, completion_tokens; /* by the usage that the stream gives; -1: it gives none */
	bool is_finished;     /* [DONE], or a finish_reason, came */
	const char *fault;    /* what is wrong with the stream; NULL: nothing so far */

	struct chunk chunk;   /* of the event at hand */
	char name[STREAM_WORD]; /* of the field at hand, its first bytes */
	char type[STREAM_WORD]; /* of the event, its first bytes */
	char word[STREAM_WORD]; /* the first bytes of the event's data */
	size_t name_size, type_size, word_size;
	bool is_behind_name, is_behind_colon; /* the byte at hand is in a value; its first byte is behind us */
	bool is_behind_cr, has_data;
};

void stream_start(struct stream *stream);

/* Reads bytes that came at NOW (seconds). */
void stream_read(struct stream *stream, const char *bytes, size_t size, double now);

/* Ends the stream, which should have been whole; the last event's empty line may be missing. */
void stream_end(struct stream *stream, double now);

/* Seconds between two tokens: (last - first) / (tokens - 1), by the usage or else by the chunks; NAN: not known, as when all came at once. */
double stream_token_time(const struct stream *stream);

#endif
