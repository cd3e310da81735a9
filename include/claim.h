/*
 * A claim: the locks (resource.h) that one trial takes. Those with fixed names are taken one after another, by name, and
 * kept while the next is waited for; as everybody does so, nobody waits in a circle. What comes from a pool is taken all
 * at once or not at all, last.
 */
#ifndef CLAIM_H
#define CLAIM_H

#include <stdbool.h>
#include <stddef.h>

#include "demand.h"
#include "error.h"
#include "lockset.h"
#include "pick.h"
#include "pool.h"

enum claim_state { CLAIM_FAILED = -1, CLAIM_WAITING, CLAIM_HELD };

struct claim {
	int directory;       /* -1: not opened yet */
	struct lockset locks; /* fixed names first, sorted once they are being taken */
	size_t num_fixed, num_held;
	const struct demand *demand;
	const struct pool *pool;
	struct pick pick;    /* once held: what comes from the pool */
	char *waiting_for;   /* what another trial holds; NULL: nothing */
	char *holder;        /* who holds it, for messages; NULL: not known */
};

/* An empty claim for DEMAND from POOL, which have to live as long. */
void claim_init(const struct demand *demand, const struct pool *pool, struct claim *claim);

/* Adds the lock NAME, once. */
void claim_add(struct claim *claim, const char *name);

/*
 * Takes what can be had now, without waiting. EX_CANTCREAT, EX_IOERR; EX_UNAVAILABLE for a pool that has too few GPUs
 * here whatever others hold. After CLAIM_FAILED, too, claim_free().
 */
enum claim_state claim_try(struct claim *claim, struct error *e);

/*
 * Ends what killed holders of the locks left running, and puts MARK in their place. EX_CANTCREAT, EX_IOERR.
 * Returns 0 or -1.
 */
int claim_mark(struct claim *claim, const char *mark, struct error *e);

/* After the last process of the trial: takes the marks away. */
void claim_clear_marks(const struct claim *claim);

/* The descriptors that keep the claim, and their number (to be freed). */
int *claim_descriptors(const struct claim *claim, size_t *num);

/* For each port of the claim that someone listens on "port 5000: process 12 (nc -l 5000)", "; " between (to be freed); NULL: none. */
char *claim_listeners(const struct claim *claim);

/* What CUDA calls the GPUs taken from the pool, with commas between (to be freed); NULL: none are. */
char *claim_devices(const struct claim *claim);

/* Closes the descriptors: the locks are free if no other process has them. */
void claim_free(struct claim *claim);

#endif
