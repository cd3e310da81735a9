/*
 * A recorded workload: a CSV file with a header, one request a line. Cells stand between commas, in
 * double quotes where need be. Columns go by any of the names that the published traces use, so that those work
 * as they are.
 */
#ifndef TRACE_H
#define TRACE_H

#include <stddef.h>

#include "error.h"

enum trace_kind {
	TRACE_TIME,  /* seconds, or a date and a time of day in UTC: 2024-05-10 00:00:00.009; seconds since 1970 then */
	TRACE_TOKENS /* a number, 0 and up */
};

struct trace_column {
	const char *const *names; /* any of them; NULL at the end */
	enum trace_kind kind;
};

struct trace {
	double *values; /* num_rows x num_columns */
	size_t num_rows, num_columns;
};

/* Only rows whose column NAME reads TEXT. */
struct trace_filter {
	const char *name, *text;
};

/*
 * Reads the NUM_COLUMNS COLUMNS from PATH (FILTER may be NULL). EX_NOINPUT, EX_IOERR, EX_DATAERR with the line, also when no
 * row is left. Returns 0 or -1; then nothing is to be freed.
 */
int trace_read(const char *path, const struct trace_column *columns, size_t num_columns,
    const struct trace_filter *filter, struct trace *trace, struct error *e);
void trace_free(struct trace *trace);

/* Sorts the rows by their first column; equal ones stay in the file's order. */
void trace_sort(struct trace *trace);

/* A copy of COUNT columns from column FIRST on. */
struct trace trace_part(const struct trace *trace, size_t first, size_t count);

/* The columns of a request: when it is due, and its prefill and decode tokens, under the names of the published traces. */
extern const struct trace_column trace_request_columns[3];

/* Reads a time as TRACE_TIME has it. Returns 0 or -1. */
int trace_time(const char *text, double *seconds);

#endif
