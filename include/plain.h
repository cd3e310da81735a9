/*
 * Rows of a CSV file that need no parser: cells without quotes and control characters, commas between them, LF
 * or CRLF at the end. They are found many bytes, and handed out many rows, at a time.
 */
#ifndef PLAIN_H
#define PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLAIN_STEP = 64 }; /* bytes */

struct plain {
	size_t num_cells;  /* of a row */
	char *text;        /* where the first row begins */
	size_t step;       /* the bytes that are looked at next, from TEXT on */
	bool is_over;      /* they are not plain */
	uint32_t *ends;    /* what ends the cells of whole rows, and of the begin of one: offsets from TEXT */
	size_t num_ends;
	size_t num_lines;  /* ends that are the end of a line */
	size_t num_wanted; /* ends that are looked for at once */
	size_t num_taken;  /* rows that were handed out last, the first in ENDS */
};

/* Rows of NUM_CELLS, at least one. Free it with plain_free(). */
void plain_init(struct plain *plain, size_t num_cells);
void plain_free(struct plain *plain);

/*
 * Looks for rows from TEXT on. Behind the text there is a quote, and behind that PLAIN_STEP + 1 bytes of any content.
 */
void plain_start(struct plain *plain, char *text);

/*
 * The next rows. *ENDS has NUM_CELLS for each: of each cell the offset, from the start's TEXT on, of the comma or newline that ends it;
 * before the newline there may be a CR. It stays until the next call. Returns how many rows; 0: the next one is not plain, or
 * not whole.
 */
size_t plain_next(struct plain *plain, const uint32_t **ends);

#endif
