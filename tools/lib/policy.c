#include "policy.h"

#include <math.h>

struct choice {
	const struct model *model;
	const struct request *request;
	double limit;            /* MODEL_CLUSTERING: the most tokens that a worker may come to */
	const struct worker *prefill_worker; /* MODEL_TOPOLOGY: only workers with a fast link from it; NULL: all */
};

/* The less, the better; INFINITY: not at all. */
typedef double score_function(const struct choice *choice, const struct worker *worker);

static double
score_tokens(const struct choice *c, const struct worker *w)
{
	(void)c;
	return (double)w->outstanding_tokens;
}

static double
score_requests(const struct choice *c, const struct worker *w)
{
	(void)c;
	return (double)w->outstanding_requests;
}

static double
score_length(const struct choice *c, const struct worker *w)
{
	(void)c;
	return (double)w->length_sum;
}

static double
score_pages(const struct choice *c, const struct worker *w)
{
	if (c->prefill_worker && !model_is_fast(c->model, c->prefill_worker->gpu, w->gpu))
		return INFINITY;
	return -(double)w->free_pages;
}

/* How far the request is from the mean length of those that the worker has; a worker without any comes last. */
static double
score_distance(const struct choice *c, const struct worker *w)
{
	if ((double)(w->length_sum + c->request->length) > c->limit)
		return INFINITY;
	if (w->outstanding_requests == 0)
		return 1e300;
	return fabs((double)c->request->length - (double)w->length_sum / (double)w->outstanding_requests);
}

static struct worker *
choose_least(score_function *score, const struct choice *choice, struct worker **candidates, size_t count,
    struct random *random)
{
	double least = INFINITY;
	size_t ties = 0, pick;

	for (size_t i = 0; i < count; i++) {
		double s = score(choice, candidates[i]);

		ties = s < least ? 1 : ties + (s == least);
		least = fmin(s, least);
	}
	if (least == INFINITY)
		return NULL;
	pick = ties > 1 ? random_below(random, ties) : 0;
	for (size_t i = 0; i < count; i++)
		if (score(choice, candidates[i]) == least && pick-- == 0)
			return candidates[i];
	return NULL;
}

/* The first candidate behind the last turn; workers lie in one array, so that their addresses are in order. */
static struct worker *
choose_next(struct worker **candidates, size_t count, struct worker **turn)
{
	struct worker *next = candidates[0];

	for (size_t i = count; i-- > 0;)
		if (*turn && candidates[i] > *turn)
			next = candidates[i];
	return *turn = next;
}

static struct worker *
choose_by_topology(struct choice *choice, struct worker **candidates, size_t count, struct random *random)
{
	struct worker *best = choose_least(score_pages, choice, candidates, count, random), *near;

	choice->prefill_worker = choice->request->prefill_worker;
	near = choose_least(score_pages, choice, candidates, count, random);
	return near && (double)near->free_pages >= choice->model->topology_alpha * (double)best->free_pages ? near : best;
}

struct worker *
policy_choose(enum model_policy policy, const struct model *model, struct worker **candidates, size_t count,
    const struct request *request, struct worker **turn, struct random *random)
{
	struct choice choice = { .model = model, .request = request };
	struct worker *least;

	if (count == 0)
		return NULL;
	switch (policy) {
	case MODEL_ROUND_ROBIN:
		return choose_next(candidates, count, turn);
	case MODEL_LEAST_PREFILL_TOKENS:
		return choose_least(score_tokens, &choice, candidates, count, random);
	case MODEL_LEAST_REQUESTS:
		return choose_least(score_requests, &choice, candidates, count, random);
	case MODEL_LEAST_LENGTH:
		return choose_least(score_length, &choice, candidates, count, random);
	case MODEL_MAX_FREE:
		return choose_least(score_pages, &choice, candidates, count, random);
	case MODEL_TOPOLOGY:
		return choose_by_topology(&choice, candidates, count, random);
	case MODEL_CLUSTERING:
		break;
	}
	least = choose_least(score_length, &choice, candidates, count, random);
	choice.limit = (double)(least->length_sum + request->length) * (1 + model->slack);
	return choose_least(score_distance, &choice, candidates, count, random);
}
