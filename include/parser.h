/*
 * A CSV file line by line through libcsv, with what the lines that are no such thing are told.
 *
 * A cell in double quotes may hold commas, newlines and doubled quotes; a quote inside a cell without quotes stands for itself,
 * text behind a closing quote is an error: it would swallow the rows that follow. Cells keep their blanks. Blank lines and
 * a byte order mark at the start are skipped. A row is a mebibyte at the most.
 */
#ifndef PARSER_H
#define PARSER_H

#include <csv.h>
#include <stdbool.h>
#include <stddef.h>

#include "error.h"

struct parser {
	struct csv_parser csv;
	const char *path;
	long line;        /* that the parser has; set by the caller */
	long row_line;    /* where the row began */
	size_t row_bytes;
	bool in_row;      /* from a line that is not blank to the end of its row */
	void (*take_cell)(char *text, size_t size, void *argument); /* TEXT, which a NUL follows, may be overwritten */
	void (*end_row)(void *argument);
	void *argument;
};

/* PATH has to live as long. */
void parser_open(struct parser *parser, const char *path);

/* Takes a line of SIZE bytes; its cells and rows are handed out. EX_DATAERR. Returns 0 or -1. */
int parser_take_line(struct parser *parser, const char *line, size_t size, struct error *e);

/* At the end of the file: hands out the last row, if no newline did. EX_DATAERR inside quotes. Returns 0 or -1. */
int parser_end(struct parser *parser, struct error *e);
void parser_close(struct parser *parser);

#endif
