/*
 * Rows of a CSV file that need no parser: cells without quotes and control characters, commas between them, LF
 * or CRLF at the end. They are found many bytes at a time.
 */
#ifndef PLAIN_H
#define PLAIN_H

#include <stddef.h>
#include <stdint.h>

enum { PLAIN_STEP = 64 }; /* bytes */

struct plain {
	size_t num_cells;           /* of a row */
	const size_t *wanted;       /* the numbers of cells whose ends are wanted, from 0, ascending */
	size_t num_wanted;
	char *step;                 /* the bytes that are being looked at, the first of which has the lowest bit in: */
	uint64_t commas;            /* those that are commas, and still to come, */
	uint64_t others;            /* and quotes and control characters */
};

/*
 * Looks for rows of NUM_CELLS (at least one) from TEXT on. Behind the text there is a quote or a control character that ends
 * no row, and behind that PLAIN_STEP bytes of any content. WANTED has to live as long as PLAIN.
 */
void plain_start(struct plain *plain, char *text, size_t num_cells, const size_t *wanted, size_t num_wanted);

/*
 * The next row, if it is plain: ENDS[N] is pointed to what is behind cell N, for the wanted ones and the last. Returns what
 * follows the row. NULL otherwise; there is no further row then.
 */
char *plain_next(struct plain *plain, char **ends);

#endif
