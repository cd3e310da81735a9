/*
 * A table of text for people: columns aligned by what a terminal shows of UTF-8, control characters
 * made harmless, cut to a width where one is given.
 */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct table;

enum table_column {
	TABLE_LEFT = 0,
	TABLE_RIGHT = 1,
	TABLE_CUT_END = 2,    /* may be cut to fit, at its end */
	TABLE_CUT_MIDDLE = 4, /* may be cut to fit, in the middle: both ends tell something */
	TABLE_CUT_HEADER = 8  /* the header alone may be cut, in the middle */
};

/*
 * An empty table. UTF8: LC_CTYPE, as the program has set it, is UTF-8; else it holds ASCII only, with ?
 * for all other characters.
 */
struct table *table_new(bool utf8);
void table_free(struct table *t);

/* Adds a column, of KIND (TABLE_LEFT or TABLE_RIGHT, and how it may be cut). All columns go before the first cell. */
void table_add_column(struct table *t, const char *header, unsigned kind);

/* Adds a cell; a row is full with as many cells as there are columns. */
void table_add_cell(struct table *t, const char *text);

/*
 * The lines of the table (to be freed), none wider than WIDTH characters (0: no limit) if cutting can do
 * it. *CUT tells whether a cell lost something.
 */
char *table_text(const struct table *t, size_t width, bool *cut);

/* One line of text made harmless in the same way (to be freed). */
char *table_harmless(const char *text, bool utf8);

#endif
