/*
 * What requests carry: one body for all, a template that is filled in for each, or the lines of a file.
 *
 * A template is text with {{prompt}}, {{prompt_tokens}}, {{completion_tokens}}, {{request_id}} and {{model}} in
 * it; texts are filled in as they stand between the quotes of a JSON string.
 *
 * A file of requests holds a JSON value a line, taken in order, again from the first after the last:
 *
 *   {"conversations": [{"from": "human", "value": TEXT}, ...]}  the first human turn is the prompt (ShareGPT)
 *   TEXT                                                        a prompt
 *   {"body": VALUE, ...}                                        the body: a text as it is, others as JSON
 *   any other object                                            is the body; with a template its "prompt" is the prompt
 *
 * Prompts go into the template. A prompt that nothing gives is made of words, as many as the
 * request has prompt tokens.
 */
#ifndef PAYLOAD_H
#define PAYLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "length.h"

struct payload_source {
	const char *text, *file;      /* one body; a file that holds it */
	const char *template, *requests; /* paths */
	const char *model;
	uint64_t seed;                /* of the words */
	int is_chat;                  /* without a template, prompts go into an OpenAI-style chat request, streamed; also
	                                 where nothing else is given */
};

/* A body's bytes, which grow as needed; zeroed at first, bytes to be freed. */
struct payload_body {
	char *bytes;
	size_t size, room;
};

struct payload;

/* NULL with EX_NOINPUT, EX_IOERR, or EX_DATAERR for what a file says. */
struct payload *payload_new(const struct payload_source *source, struct error *e);
void payload_free(struct payload *payload);

/* The body that all requests have, NULL if they differ; and whether there is any. */
const char *payload_constant(const struct payload *payload, size_t *size);

/* Writes the next request's body. */
void payload_next(struct payload *payload, uint64_t request_id, struct length_tokens tokens, struct payload_body *body);

#endif
