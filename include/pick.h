/*
 * What a trial picks from a pool: GPUs that nobody holds, and runs of ports that nobody holds or listens on. All or nothing,
 * and one trial after another, so that two do not take each other's share.
 */
#ifndef PICK_H
#define PICK_H

#include "demand.h"
#include "error.h"
#include "lockset.h"
#include "pool.h"

struct pick {
	long *gpus;  /* the number in the pool for each GPU of the demand; NULL: not pooled */
	long *ports; /* the first port for each port field; NULL: not pooled */
};

/*
 * Picks from POOL what DEMAND names, without waiting; adds the locks, which are files in DIRECTORY, to LOCKS. Returns 1;
 * or 0 if others hold too much now, and *LACK is what there is too little of (to be freed), NULL while another picks; or
 * -1 with EX_CANTCREAT or EX_IOERR, or EX_UNAVAILABLE for a pool that has too few GPUs here whatever others hold. Unless
 * it returns 1, LOCKS and PICK, which is empty, stay as they are.
 */
int pick_try(struct pick *pick, const struct pool *pool, const struct demand *demand, int directory, struct lockset *locks,
    char **lack, struct error *e);
void pick_free(struct pick *pick);

#endif
