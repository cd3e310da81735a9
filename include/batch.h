/* Rows that are in the cells of columns, COLUMNS_BATCH at the most, until they are handed out or become values. */
#ifndef BATCH_H
#define BATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "columns.h"

/* Makes room for cells, which are NAN so far. */
void batch_start(struct columns *columns);

/* How many rows can be added, one at least; the next one's cells have the index num_in_batch. */
size_t batch_room(const struct columns *columns);

/* Adds NUM rows whose cells are filled in; FAILED has for each whether it failed: of its cells only the stamps are kept. */
void batch_add(struct columns *columns, size_t num, const bool *failed);

/* Hands out what is there. */
void batch_end(struct columns *columns);

#endif
