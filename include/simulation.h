/*
 * One simulated run: a workload through the serving system, or through a plain queue, in simulated
 * seconds. The requests are written to request_metrics.csv as they finish, the workers' states to
 * worker_timeline.csv; memory grows with the requests that are in the system only.
 */
#ifndef SIMULATION_H
#define SIMULATION_H

#include <stdint.h>

#include "error.h"
#include "rows.h"
#include "workload.h"

struct settings;

struct simulation {
	struct workload workload;
	struct rows *requests, *timeline;
	uint64_t num_finished, num_failed; /* requests */
	double end;                        /* seconds, when the last one left */
};

/*
 * What sim_model: serving has: the modes, policies and limits of the benchmark fields (see model.h).
 * sim_model: queue is one first-come queue with a server for each of the field gpus and service times of
 * the mean sim_service_time_s and the coefficient of variation sim_service_cv. Each reads its settings, opens
 * the files in DIRECTORY if nothing was wrong with them, and runs. EX_DATAERR, EX_CANTCREAT, EX_IOERR, and
 * EX_SOFTWARE if the model comes to a standstill, which it should not. Returns 0 or -1.
 */
int serving_run(struct simulation *simulation, struct settings *settings, const char *directory, struct error *e);
int queueing_run(struct simulation *simulation, struct settings *settings, const char *directory, struct error *e);

/* Creates the two files, with HEADER for the requests. EX_CANTCREAT. Returns 0 or -1. */
int simulation_open(struct simulation *simulation, const char *header, const char *directory, struct error *e);

/* Closes them. EX_IOERR. Returns 0 or -1. */
int simulation_close(struct simulation *simulation, struct error *e);

#endif
