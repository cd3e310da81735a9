/*
 * The rows of worker_timeline.csv as a simulation writes them: how many requests each worker has, waiting and
 * active, and for how long.
 */
#ifndef OCCUPANCY_H
#define OCCUPANCY_H

#include <stddef.h>

#include "rows.h"

#define OCCUPANCY_HEADER "worker_id,worker_type,state,start_time,end_time,duration_s,queue_depth_waiting,queue_depth_active"

struct occupancy {
	const char *id, *type;
	double since;           /* seconds; 0 at the start */
	size_t waiting, active; /* requests, since then */
};

/* From NOW (seconds) on it is WAITING and ACTIVE: writes the row of what was before, if it was other and lasted. */
void occupancy_set(struct occupancy *occupancy, struct rows *rows, double now, size_t waiting, size_t active);

/* Writes the last row, up to NOW. */
void occupancy_end(struct occupancy *occupancy, struct rows *rows, double now);

#endif
