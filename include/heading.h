/* The first row of a CSV file: the names of its columns, and who wants which. */
#ifndef HEADING_H
#define HEADING_H

#include <stddef.h>

#include "columns.h"
#include "error.h"

struct heading {
	char **names;
	size_t count;           /* cells of each row */
	struct column **wishes; /* for each of them who wants it; NULL before heading_match() */
	size_t *wanted;         /* the indexes of the num_wanted ones that someone wants, ascending */
	size_t num_wanted;
};

/* Adds a name of SIZE bytes, which a NUL follows; blanks around it are not part of it. TEXT is overwritten. */
void heading_add(struct heading *heading, char *text, size_t size);

/*
 * Fills in who of COLUMNS wants what. EX_DATAERR at PATH and LINE for each one missing that is required, with the names there
 * are.
 */
void heading_match(struct heading *heading, struct columns *columns, const char *path, long line, struct error *e);
void heading_free(struct heading *heading);

#endif
