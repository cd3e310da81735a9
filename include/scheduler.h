/*
 * The scheduler of the simulated serving system: which worker has which request when.
 *
 * Colocated mode: every block of a request goes to a worker at once, which prefills and decodes it.
 * Hybrid mode: blocks wait here, in order of the requests' arrival, for a prefill worker, or, when all of these
 * are overloaded, for a colocated one (overflow). What a prefill worker has prefilled waits here, ahead of new
 * prefills, for a colocated worker with free pages; its KV memory moves there, and it is decoded.
 */
#ifndef SCHEDULER_H
#define SCHEDULER_H

#include <stddef.h>
#include <stdint.h>

#include "heap.h"
#include "model.h"
#include "random.h"
#include "worker.h"

struct scheduler {
	const struct model *model;
	struct random random;               /* for ties of the policies */
	struct worker *workers, *colocated; /* all, prefill workers first; the colocated ones among them */
	size_t num_workers;
	struct worker **candidates;         /* room for all of them */
	struct worker *prefill_turn, *decode_turn;
	struct heap pending, decode_ready;  /* hybrid: waiting here, by arrival */
	long decode_ready_pages;            /* that those need */
	struct heap transfers;              /* hybrid: by their end */
};

/* Makes the workers of MODEL, which has to live as long. scheduler_free() it. */
void scheduler_init(struct scheduler *scheduler, const struct model *model, uint64_t seed);
void scheduler_free(struct scheduler *scheduler);

/* At NOW (seconds) the block that REQUEST is at begins to wait for its prefill. */
void scheduler_dispatch(struct scheduler *scheduler, struct request *request, double now);

/* Gives waiting requests to workers that can take them. */
void scheduler_place(struct scheduler *scheduler, double now);

/* REQUEST was prefilled on WORKER; and, if WORKER only prefills, begins to wait for its decoding. */
void scheduler_end_prefill(struct scheduler *scheduler, struct worker *worker, struct request *request);
void scheduler_want_decode(struct scheduler *scheduler, struct worker *worker, struct request *request, double now);

/* When the next KV transfer ends (INFINITY: none is under way), and its end. */
double scheduler_transfer_end(const struct scheduler *scheduler);
void scheduler_end_transfer(struct scheduler *scheduler, double now);

/* The block that REQUEST is at is done on WORKER: its pages are free, and it is no load any more. */
void scheduler_end_block(struct scheduler *scheduler, struct worker *worker, struct request *request);

/* The requests that wait here. */
size_t scheduler_num_waiting(const struct scheduler *scheduler);

#endif
