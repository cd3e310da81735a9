/*
 * Strategies: how the jobs of a config search. What its mapping "search" says, with the command line over it, holds for
 * all of them; each has its own start_qps or qps_list, or takes the common list.
 */
#ifndef STRATEGY_H
#define STRATEGY_H

#include <stdbool.h>

#include "early_stop.h"
#include "fault.h"
#include "node.h"
#include "search.h"

struct config_overrides;
struct json_object;

struct strategy {
	struct search common;           /* of all jobs, and search.qps_list */
	double max_failed_requests_pct;
	enum early_stop early_stop;
	bool has_sla, has_list;         /* the config gives sla, and search.qps_list */
};

/* Reads the config's top-level mapping ROOT, with OVER over it; what has a fault keeps its default. To be strategy_free(). */
void strategy_read(const struct node *root, const struct config_overrides *over, struct strategy *strategy, struct faults *faults);
void strategy_free(struct strategy *strategy);

/* The member "search" of the job.json of JOB (to be json_object_put()); NULL after a fault, which WHERE stands in front of. */
struct json_object *strategy_of_job(const struct strategy *strategy, const struct node *job, const char *where, struct faults *faults);

#endif
