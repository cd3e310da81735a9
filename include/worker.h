/*
 * A worker of the simulated serving system: a GPU that runs one pass after the other. A pass prefills waiting requests and
 * takes one step for each request that is decoding. A request is decoded in blocks; each block is prefilled anew.
 */
#ifndef WORKER_H
#define WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heap.h"
#include "model.h"

struct worker;

/* A request in the system. */
struct request {
	uint64_t id;           /* 0, 1, 2 ... by arrival */
	double arrival;        /* seconds */
	long prefill_tokens, decode_tokens;
	long length;           /* tokens that it occupies: prompt and all of its blocks */
	long pages;            /* of KV memory for that */
	long blocks;           /* still to decode, the one at hand included */
	long passes;           /* still to run in the block at hand */
	double waiting_since;  /* seconds; while it waits */
	double prefill_wait, decode_wait; /* seconds spent waiting, over all blocks */
	double first_token;    /* seconds; < 0: not yet */
	struct worker *prefill_worker, *decode_worker; /* of the block at hand */
	const char *first_prefill_worker, *first_decode_worker;
	struct worker *pages_of; /* the worker where it holds its pages */
	struct request *next;  /* in the caller's list */
};

struct worker {
	char id[24];
	const char *type;      /* "prefill" or "colocated" */
	bool is_prefill;       /* only prefills */
	long gpu;
	struct heap waiting;   /* requests to prefill, in the order of the queue policy */
	struct heap ready;     /* requests that were prefilled elsewhere, in order of arrival here */
	uint64_t num_ready;    /* that ever came */
	struct request **decoding, **prefilling; /* in the pass */
	size_t num_decoding, num_prefilling;
	double pass_end;       /* seconds; INFINITY: no pass is running */
	long free_pages;
	long deficit;          /* tokens of budget saved up for a long prefill at the head of the queue */
	long outstanding_tokens, outstanding_requests, length_sum; /* of what was assigned to it, as the policies count it */
};

/* The INDEX-th worker of its kind. worker_free() it. */
void worker_init(struct worker *worker, const struct model *model, bool is_prefill, size_t index, long gpu);
void worker_free(struct worker *worker);

/* Queues REQUEST to be prefilled, or, its pages being there, to be decoded. */
void worker_enqueue(struct worker *worker, const struct model *model, struct request *request);
void worker_enqueue_ready(struct worker *worker, struct request *request);

/* REQUEST, prefilled here, goes on to be decoded here. */
void worker_keep(struct worker *worker, struct request *request);

/* The requests that wait here, and those in the pass. */
size_t worker_num_waiting(const struct worker *worker);
size_t worker_num_active(const struct worker *worker);

/*
 * Starts a pass at NOW (seconds), if none is running and there is something to do: takes what the limits let in, ends
 * their waits, takes pages for those that hold none, and sets pass_end.
 */
void worker_start_pass(struct worker *worker, const struct model *model, double now);

#endif
