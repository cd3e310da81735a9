/*
 * A CSV file that is written row by row, for files of millions of rows. Cells are added in order, then
 * the row is ended. Write errors are kept and told by rows_close().
 */
#ifndef ROWS_H
#define ROWS_H

#include <stdint.h>

#include "error.h"

struct rows;

/* Creates (or empties) DIRECTORY/NAME and writes the HEADER line. NULL with EX_CANTCREAT. */
struct rows *rows_open(const char *directory, const char *name, const char *header, struct error *e);

/* The same on standard output. */
struct rows *rows_open_output(const char *header, struct error *e);

/* One cell: text that needs no quotes; a whole number; seconds, to the nanosecond. */
void rows_text(struct rows *rows, const char *text);
void rows_count(struct rows *rows, uint64_t count);
void rows_seconds(struct rows *rows, double seconds);

/* Text that may need quotes. */
void rows_quoted(struct rows *rows, const char *text);

void rows_end(struct rows *rows);

/* Writes what was ended in one go, so that readers see whole rows; between times they may see parts. EX_IOERR. Returns 0 or -1. */
int rows_flush(struct rows *rows, struct error *e);

/*
 * Writes what is left, closes the file and frees ROWS (NULL is fine). EX_IOERR if not all was written. Returns
 * 0 or -1.
 */
int rows_close(struct rows *rows, struct error *e);

#endif
