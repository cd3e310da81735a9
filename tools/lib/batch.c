#include "batch.h"

#include <math.h>
#include <string.h>

#include "memory.h"

void
batch_start(struct columns *columns)
{
	for (size_t i = 0; i < columns->count; i++) {
		struct column *c = columns->list[i];

		c->cells = memory_alloc(COLUMNS_BATCH, sizeof *c->cells);
		for (size_t n = 0; n < COLUMNS_BATCH; n++)
			c->cells[n] = NAN;
	}
}

size_t
batch_room(const struct columns *columns)
{
	return COLUMNS_BATCH - columns->num_in_batch;
}

static void
fail_row(struct columns *columns, size_t row)
{
	for (size_t i = 0; i < columns->count; i++)
		if (columns->list[i]->kind != COLUMN_STAMP)
			columns->list[i]->cells[row] = NAN;
	columns->num_failed++;
}

void
batch_add(struct columns *columns, size_t num, const bool *failed)
{
	for (size_t i = 0; i < num; i++)
		if (failed[i])
			fail_row(columns, columns->num_in_batch + i);
	columns->num_in_batch += num;
	columns->num_rows += num;
	if (columns->num_in_batch == COLUMNS_BATCH)
		batch_end(columns);
}

/* Appends the rows to the values. */
static void
keep(struct columns *columns)
{
	size_t num = columns->num_in_batch, first = columns->num_rows - num;

	if (columns->num_rows > columns->room) {
		columns->room = columns->room ? columns->room * 2 : 2 * COLUMNS_BATCH;
		for (size_t i = 0; i < columns->count; i++)
			if (columns->list[i]->kind != COLUMN_ERROR)
				columns->list[i]->values = memory_resize(columns->list[i]->values, columns->room, sizeof(double));
	}
	for (size_t i = 0; i < columns->count; i++)
		if (columns->list[i]->kind != COLUMN_ERROR)
			memcpy(columns->list[i]->values + first, columns->list[i]->cells, num * sizeof(double));
}

void
batch_end(struct columns *columns)
{
	if (columns->num_in_batch > 0 && columns->take_rows)
		columns->take_rows(columns->argument, columns->num_in_batch);
	else if (columns->num_in_batch > 0)
		keep(columns);
	columns->num_in_batch = 0;
}
