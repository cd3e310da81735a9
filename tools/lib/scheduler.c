#include "scheduler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "policy.h"

enum { STREAM = 5 };

void
scheduler_init(struct scheduler *s, const struct model *model, uint64_t seed)
{
	size_t num_prefill = model->prefill.count;

	memset(s, 0, sizeof *s);
	s->model = model;
	random_seed(&s->random, seed, STREAM);
	s->num_workers = num_prefill + model->colocated.count;
	s->workers = memory_alloc(s->num_workers, sizeof *s->workers);
	s->colocated = s->workers + num_prefill;
	s->candidates = memory_alloc(s->num_workers, sizeof(struct worker *));
	for (size_t i = 0; i < num_prefill; i++)
		worker_init(&s->workers[i], model, true, i, model->prefill.ids[i]);
	for (size_t i = 0; i < model->colocated.count; i++)
		worker_init(&s->colocated[i], model, false, i, model->colocated.ids[i]);
}

void
scheduler_free(struct scheduler *s)
{
	for (size_t i = 0; i < s->num_workers; i++)
		worker_free(&s->workers[i]);
	free(s->workers);
	free(s->candidates);
	heap_free(&s->pending);
	heap_free(&s->decode_ready);
	heap_free(&s->transfers);
}

/* COUNT (1 or -1) times R's tokens, or R itself, to the account of W. */
static void
account_prefill(struct worker *w, const struct request *r, long count)
{
	w->outstanding_tokens += count * r->length;
}

static void
account_request(struct worker *w, const struct request *r, long count)
{
	w->outstanding_requests += count;
	w->length_sum += count * r->length;
}

static void
release_pages(struct request *r)
{
	r->pages_of->free_pages += r->pages;
	r->pages_of = NULL;
}

static void
assign_decode(struct worker *w, struct request *r)
{
	r->decode_worker = w;
	if (!*r->first_decode_worker)
		r->first_decode_worker = w->id;
}

static void
assign_prefill(struct scheduler *s, struct worker *w, struct request *r)
{
	r->prefill_worker = w;
	if (!*r->first_prefill_worker)
		r->first_prefill_worker = w->id;
	if (!w->is_prefill)
		assign_decode(w, r);
	worker_enqueue(w, s->model, r);
}

/* A sticky request is accounted for once, with all of its blocks. */
static void
dispatch_colocated(struct scheduler *s, struct request *r)
{
	struct worker *w = s->model->is_sticky ? r->prefill_worker : NULL;

	if (!w) {
		for (size_t i = 0; i < s->num_workers; i++)
			s->candidates[i] = &s->workers[i];
		w = policy_choose(s->model->prefill_policy, s->model, s->candidates, s->num_workers, r, &s->prefill_turn,
		    &s->random);
		account_request(w, r, 1);
		account_prefill(w, r, s->model->is_sticky ? r->blocks : 1);
	}
	assign_prefill(s, w, r);
}

void
scheduler_dispatch(struct scheduler *s, struct request *r, double now)
{
	r->waiting_since = now;
	if (s->model->is_hybrid)
		heap_push(&s->pending, 0, r->id, r); /* ids are in order of arrival */
	else
		dispatch_colocated(s, r);
}

/* Gathers the workers from FIRST to END that have R's pages free and fewer outstanding tokens than LIMIT. */
static size_t
gather(struct scheduler *s, struct worker *first, const struct worker *end, const struct request *r, double limit)
{
	size_t count = 0;

	for (struct worker *w = first; w < end; w++)
		if (w->free_pages >= r->pages && (double)w->outstanding_tokens < limit)
			s->candidates[count++] = w;
	return count;
}

static bool
is_overloaded(const struct scheduler *s)
{
	for (const struct worker *w = s->workers; w < s->colocated; w++)
		if (w->outstanding_tokens < s->model->overload_tokens)
			return false;
	return true;
}

/* An overflow must leave the colocated workers the pages that prefilled requests wait for. */
static struct worker *
choose_overflow(struct scheduler *s, const struct request *r)
{
	const struct worker *end = s->workers + s->num_workers;
	size_t count = gather(s, s->colocated, end, r, (double)s->model->overload_tokens);
	long available = -s->decode_ready_pages;

	for (const struct worker *w = s->colocated; w < end; w++)
		available += w->free_pages;
	if (available < r->pages)
		return NULL;
	return policy_choose(MODEL_LEAST_PREFILL_TOKENS, s->model, s->candidates, count, r, NULL, &s->random);
}

/* A worker for the first pending block, if one can take it. */
static bool
place_pending(struct scheduler *s)
{
	struct request *r = heap_first(&s->pending);
	struct worker *w = NULL;

	if (!r)
		return false;
	if (!is_overloaded(s))
		w = policy_choose(s->model->prefill_policy, s->model, s->candidates,
		    gather(s, s->workers, s->colocated, r, INFINITY), r, &s->prefill_turn, &s->random);
	if (!w && s->model->overflows)
		w = choose_overflow(s, r);
	if (!w)
		return false;
	heap_pop(&s->pending);
	w->free_pages -= r->pages;
	r->pages_of = w;
	account_prefill(w, r, 1);
	account_request(w, r, 1);
	assign_prefill(s, w, r);
	return true;
}

/* A colocated worker for the first prefilled block, if one can take it; its KV memory starts to move. */
static bool
place_decode_ready(struct scheduler *s, double now)
{
	struct request *r = heap_first(&s->decode_ready);
	struct worker *w;
	double token_time;

	if (!r)
		return false;
	w = policy_choose(s->model->decode_policy, s->model, s->candidates,
	    gather(s, s->colocated, s->workers + s->num_workers, r, INFINITY), r, &s->decode_turn, &s->random);
	if (!w)
		return false;
	heap_pop(&s->decode_ready);
	s->decode_ready_pages -= r->pages;
	w->free_pages -= r->pages; /* those of the prefill worker are free when the transfer is done */
	account_request(w, r, 1);
	r->decode_wait += now - r->waiting_since;
	assign_decode(w, r);
	token_time = model_is_fast(s->model, r->prefill_worker->gpu, w->gpu) ? s->model->fast_transfer_time
	    : s->model->slow_transfer_time;
	heap_push(&s->transfers, now + (double)r->length * token_time, r->id, r);
	return true;
}

void
scheduler_place(struct scheduler *s, double now)
{
	while (place_decode_ready(s, now))
		;
	while (place_pending(s))
		;
}

void
scheduler_end_prefill(struct scheduler *s, struct worker *w, struct request *r)
{
	if (s->model->is_hybrid)
		account_prefill(w, r, -1);
}

void
scheduler_want_decode(struct scheduler *s, struct worker *w, struct request *r, double now)
{
	account_request(w, r, -1);
	r->waiting_since = now;
	heap_push(&s->decode_ready, 0, r->id, r);
	s->decode_ready_pages += r->pages;
}

double
scheduler_transfer_end(const struct scheduler *s)
{
	return s->transfers.count ? s->transfers.entries[0].key : INFINITY;
}

void
scheduler_end_transfer(struct scheduler *s, double now)
{
	struct request *r = heap_pop(&s->transfers);

	release_pages(r);
	r->pages_of = r->decode_worker;
	r->waiting_since = now;
	worker_enqueue_ready(r->decode_worker, r);
}

void
scheduler_end_block(struct scheduler *s, struct worker *w, struct request *r)
{
	release_pages(r);
	if (!s->model->is_sticky || r->blocks == 1)
		account_request(w, r, -1);
	if (!s->model->is_hybrid)
		account_prefill(w, r, -1);
}

size_t
scheduler_num_waiting(const struct scheduler *s)
{
	return s->pending.count + s->decode_ready.count;
}
