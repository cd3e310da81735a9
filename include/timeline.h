/*
 * worker_timeline.csv: one row for each state of each worker, with worker_id, duration_s (seconds) and
 * queue_depth_waiting (requests). Other columns are not looked at.
 */
#ifndef TIMELINE_H
#define TIMELINE_H

#include "error.h"

struct timeline;

/*
 * Reads PATH (to be freed with timeline_free()). Rows with a missing cell, or a duration that is not above 0, do
 * not count. NULL with EX_NOINPUT, EX_IOERR or EX_DATAERR, the last also when no row counts.
 */
struct timeline *timeline_read(const char *path, struct error *e);
void timeline_free(struct timeline *timeline);

/*
 * The depth of the queue that the worst worker has: for each worker the smallest depth whose summed duration,
 * in order of depth, reaches QUANTILE (0 to 1) of the worker's total; then the largest of them. The sums are those
 * of the rows one by one, in this order. (Sums for each depth mostly tell as much; the file is read again where they do not.)
 */
double timeline_queue_depth(struct timeline *timeline, double quantile);

#endif
