/* How many requests wait, over the time of a trial: worker_timeline.csv in a fixed number of bins. */
#ifndef BACKLOG_H
#define BACKLOG_H

#include <stddef.h>

#include "error.h"

enum { BACKLOG_BINS = 160 };

struct backlog {
	double width;                /* of a bin, seconds */
	double depth[BACKLOG_BINS];  /* for each bin, the most requests that any worker has waiting in it; 0 where no row says */
	size_t num;                  /* bins, from the start of the first row to the end of the last; 0: no rows */
};

/* Reads PATH, row by row. EX_NOINPUT, EX_IOERR, EX_DATAERR. Returns 0 or -1. */
int backlog_read(const char *path, struct backlog *backlog, struct error *e);

#endif
