/*
 * The answer to one HTTP/1 request, read as its bytes come, in constant memory: a status line, headers (of which
 * Content-Length, Transfer-Encoding and Connection matter), and a body: as long as they say, in chunks, or up to the
 * end of the connection. Interim answers (100 Continue) before it are skipped.
 */
#ifndef ANSWER_H
#define ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ANSWER_LINE = 256, ANSWER_HEAD_MAX = 1 << 18 };

struct answer {
	long status;       /* of the answer proper; 0: not yet there */
	bool is_done;      /* all of it was read */
	bool is_kept;      /* the connection stays open behind it */
	const char *fault; /* it is none; NULL: nothing wrong so far */

	int state;
	bool is_head;      /* the request was: no body */
	bool is_chunked, has_length, has_bytes;
	uint64_t left;     /* bytes of the body, or of a chunk */
	size_t head_size;  /* bytes of status lines, headers, chunk heads and trailers since the last body byte */
	char line[ANSWER_LINE]; /* the line at hand, its first bytes */
	size_t line_size;
};

void answer_start(struct answer *answer, bool is_head);

/*
 * Reads from BYTES on, to END at the most, up to and with the next part of the body, which *BODY and *SIZE give (*SIZE 0:
 * there was none). Returns the place behind what it read; nothing is read once the answer is done or faulty.
 */
const char *answer_read(struct answer *answer, const char *bytes, const char *end, const char **body, size_t *size);

/* The connection is at its end: sets is_done or fault. */
void answer_end(struct answer *answer);

#endif
