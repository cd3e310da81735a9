/*
 * One JSON document of an OpenAI-style stream, read as its bytes come, in constant memory whatever its
 * size: what matters of it are choices[].delta.content, .reasoning, .reasoning_content and .tool_calls, choices[].text,
 * choices[].finish_reason, usage.prompt_tokens, usage.completion_tokens, and error.
 */
#ifndef CHUNK_H
#define CHUNK_H

#include <stdbool.h>
#include <stddef.h>

enum { CHUNK_LEVELS = 64, CHUNK_KEY = 24, CHUNK_MESSAGE = 96 };

struct chunk {
	bool has_text;      /* some choice's text is not empty, or calls a tool */
	bool has_finish;    /* some choice's finish_reason is not null */
	bool has_abort;     /* the server gave up: a finish_reason is abort, cancelled or error */
	bool has_error;     /* error is there and not null */
	char message[CHUNK_MESSAGE]; /* the error's, cut where it is long; escapes as they are */
	long prompt_tokens, completion_tokens; /* -1: not given */
	bool is_broken;     /* no JSON so far */

	int state;
	bool is_escaped;    /* the next byte of the string is */
	int depth;
	bool is_array[CHUNK_LEVELS + 1];
	unsigned char path[CHUNK_LEVELS + 1]; /* the key at each level, as chunk.c counts the keys it knows */
	char word[CHUNK_KEY]; /* the key, number, literal or finish_reason at hand */
	size_t word_size;
	size_t string_size, message_size;
};

void chunk_start(struct chunk *chunk);
void chunk_read(struct chunk *chunk, const char *bytes, size_t size);

/* Whether what was read is one whole document. */
bool chunk_is_whole(const struct chunk *chunk);

#endif
