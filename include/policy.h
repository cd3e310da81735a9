/* The scheduler's choice of a worker. */
#ifndef POLICY_H
#define POLICY_H

#include <stddef.h>

#include "model.h"
#include "random.h"
#include "worker.h"

/*
 * One of the COUNT CANDIDATES (in a fixed order of theirs) for REQUEST, by POLICY; ties are broken by RANDOM. TURN is round
 * robin's: the worker after which it goes on. NULL without candidates.
 */
struct worker *policy_choose(enum model_policy policy, const struct model *model, struct worker **candidates, size_t count,
    const struct request *request, struct worker **turn, struct random *random);

#endif
