/*
 * The rows of a CSV file on their way into columns: lines go through the parser; plain rows, which most are, do without it and
 * are taken many at a time, with the same result.
 */
#ifndef READER_H
#define READER_H

#include <stdbool.h>
#include <stddef.h>

#include "columns.h"
#include "error.h"
#include "heading.h"
#include "parser.h"
#include "plain.h"

struct reader {
	struct columns *columns;
	struct error *e;
	struct parser parser;
	struct plain plain;
	struct heading heading;
	bool has_heading;
	bool row_failed;
	bool row_has_text;       /* in a COLUMN_METRIC */
	size_t cell;             /* cells of the row so far */
	char *fault;             /* of the row: the first cell that should be a number and is none, */
	long fault_line;         /* its line, */
	struct column *fault_in; /* and column */
};

/* A reader of PATH into COLUMNS; faults go to E. All three have to live as long. */
void reader_open(struct reader *reader, struct columns *columns, const char *path, struct error *e);

/*
 * Takes line NUMBER, of SIZE bytes. Returns whether plain rows may follow: not in the middle of a row, nor after a fault.
 */
bool reader_take_line(struct reader *reader, const char *line, size_t size, long number);

/*
 * Takes the plain rows from TEXT, the begin of a row, to END, where a byte may be overwritten and LINES_SPARE_BYTES are readable.
 * Returns the first row that is not plain, or not whole, or has a fault: that is for reader_take_line(), which is right for all.
 */
char *reader_take_plain_rows(struct reader *reader, char *text, char *end);

/* At the end of the file. EX_DATAERR. Returns 0 or -1. */
int reader_end(struct reader *reader);
void reader_close(struct reader *reader);

#endif
