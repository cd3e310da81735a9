/*
 * The wanted columns of a CSV file, by name, filled in one pass, so that memory grows with what is
 * wanted and not with the file.
 *
 * The file: a header line, then one row a line, commas between cells, LF or CRLF at the end; parser.h tells of quotes and
 * blank lines. Every row has as many cells as the header. Of two columns with one name the first counts.
 */
#ifndef COLUMNS_H
#define COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "error.h"
#include "labels.h"

enum column_kind {
	COLUMN_NUMBER, /* values: the number; NAN: missing, or the row failed. Text is an error but in a failed row */
	COLUMN_METRIC, /* the same, but text in a row that did not fail is no error: it makes the column is_text */
	COLUMN_STAMP,  /* values: the number, in failed rows too; NAN: missing, or not a number */
	COLUMN_LABEL,  /* values: 0, 1, 2 ... for the different texts, in the order they come; NAN: missing */
	COLUMN_ERROR   /* values: none. The row failed unless this cell is missing or blank */
};

enum { COLUMNS_BATCH = 512 }; /* rows that are handed out at once, at the most */

struct column {
	char *name;
	enum column_kind kind;
	bool required;       /* a file without it is an error */
	bool found;          /* the file has it */
	bool is_text;        /* see COLUMN_METRIC */
	double *values;      /* one for each row of the file, NAN where it was not found */
	double *cells;       /* of the rows being handed out, as in values */
	bool cell_is_text;   /* of a COLUMN_METRIC, in the row being read */
	struct column *next; /* another wish for the same column of the file */
};

struct columns {
	struct column **list; /* in the order of columns_want() */
	size_t count;
	size_t num_rows;      /* without the header */
	size_t num_failed;    /* rows with an error */
	struct labels labels; /* of all COLUMN_LABEL columns */
	bool all;             /* set by the caller: the columns that nobody wished for are wished for as COLUMN_METRIC */
	bool parse_all;       /* set by the caller: plain rows go through the CSV parser too, with the same result, as tests check */
	size_t num_in_batch;  /* rows that are in the cells */
	size_t room;          /* rows that the values have memory for */
	void (*take_rows)(void *argument, size_t num); /* NULL, or called with the next NUM rows, which are in the columns' cells; no values are kept */
	void *argument;
};

/*
 * Wishes for the column NAME; the same wish twice is one. Returns the column, which lives as long as
 * COLUMNS (zeroed at first).
 */
struct column *columns_want(struct columns *columns, const char *name, enum column_kind kind, bool required);

/*
 * Fills the wanted columns from PATH. EX_NOINPUT if it cannot be opened, EX_IOERR, and EX_DATAERR with the
 * physical line for what is not such a file; missing columns are all reported, with the names there
 * are. Returns 0 or -1.
 */
int columns_read(struct columns *columns, const char *path, struct error *e);

/*
 * Hands out rows from places all over a large PATH, to take_rows() only: a sample, with the wanted columns as far as they are
 * there. Returns the number of places; 0 for a small file, which is not opened, and for one that columns_read() would refuse.
 */
size_t columns_look(struct columns *columns, const char *path);
void columns_free(struct columns *columns);

/* A file that is read while it grows. */
struct columns_source;

/* Begins to read PATH, a regular file, into COLUMNS, both of which have to live as long. NULL with EX_NOINPUT. */
struct columns_source *columns_open(struct columns *columns, const char *path, struct error *e);

/*
 * Takes the whole rows that were appended since it last looked, and reads nothing else; an unfinished last row, or header, has to
 * wait. EX_IOERR and EX_DATAERR as columns_read(), after which the source is of no more use. Returns 0 or -1.
 */
int columns_take_more(struct columns_source *source, struct error *e);

/* The size of the header and the rows that were taken, in bytes. */
off_t columns_size(const struct columns_source *source);

/* Whether the file of that name is still the one that is read, and has not become shorter. */
bool columns_is_same_file(const struct columns_source *source);
void columns_close(struct columns_source *source);

#endif
