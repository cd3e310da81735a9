/*
 * The serving system as a discrete-event simulation. Events are the next arrival, the end of each worker's
 * pass and the end of each KV transfer; after each, whatever can now start, starts.
 *
 * Colocated mode: the scheduler gives every block of a request to a worker at once; the worker prefills and decodes it.
 * Hybrid mode: blocks wait at the scheduler, in order of the requests' arrival, for a prefill worker, or, when all of these
 * are overloaded, for a colocated one (overflow). What a prefill worker has prefilled waits at the scheduler, ahead of
 * new prefills, for a colocated worker with free pages; its KV pages move there, and it is decoded.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "heap.h"
#include "memory.h"
#include "model.h"
#include "occupancy.h"
#include "policy.h"
#include "settings.h"
#include "simulation.h"
#include "worker.h"

enum { STREAM = 5 };

#define HEADER "request_id,arrival_time,request_scheduling_delay,request_scheduling_delay_prefill," \
	"request_scheduling_delay_decode,ttft,tpot,request_e2e_time,prefill_tokens,decode_tokens," \
	"prefill_worker_id,decode_worker_id,error"

struct serving {
	struct simulation *simulation;
	struct model model;
	struct random random;             /* for ties of the policies */
	struct worker *workers, *colocated; /* all, prefill workers first; the colocated ones among them */
	size_t num_workers;
	struct worker **candidates;       /* room for all of them */
	struct worker *prefill_turn, *decode_turn;
	struct heap pending, decode_ready; /* hybrid: at the scheduler, by arrival */
	long decode_ready_pages;          /* that those need */
	struct heap transfers;            /* hybrid: by their end */
	struct request *unused;
	struct occupancy *occupancies;    /* of the workers, then of the scheduler */
};

/* Sets the passes of the block that R is at: what prefill does not finish of it takes one pass after the other. */
static void
start_block(const struct serving *s, struct request *r)
{
	long tokens = r->blocks > 1 ? s->model.block_length : (r->decode_tokens - 1) % s->model.block_length + 1;

	r->passes = (tokens - 1) / s->model.tokens_per_pass + 1;
}

static struct request *
new_request(struct serving *s, const struct workload_request *source)
{
	struct request *r = s->unused ? s->unused : memory_alloc(1, sizeof *r);
	const struct model *m = &s->model;
	long room;

	s->unused = r->next;
	*r = (struct request){ .id = s->simulation->workload.count - 1, .arrival = source->arrival, .first_token = -1,
		.prefill_tokens = source->tokens.prefill, .decode_tokens = source->tokens.decode,
		.first_prefill_worker = "", .first_decode_worker = "" };
	if (m->max_gen_len && r->decode_tokens > m->max_gen_len)
		r->decode_tokens = m->max_gen_len;
	r->blocks = (r->decode_tokens - 1) / m->block_length + 1;
	room = m->max_gen_len ? m->max_gen_len : r->blocks * m->block_length;
	r->length = r->prefill_tokens + room;
	r->pages = (r->length - 1) / m->page_size + 1;
	start_block(s, r);
	return r;
}

static void
write_times(struct rows *rows, const struct request *r, double now)
{
	rows_seconds(rows, r->prefill_wait + r->decode_wait);
	rows_seconds(rows, r->prefill_wait);
	rows_seconds(rows, r->decode_wait);
	rows_seconds(rows, r->first_token - r->arrival);
	if (r->decode_tokens > 1)
		rows_seconds(rows, (now - r->first_token) / (double)(r->decode_tokens - 1));
	else
		rows_text(rows, "");
	rows_seconds(rows, now - r->arrival);
}

/* R leaves the system, finished or (ERROR is not "") refused. */
static void
leave(struct serving *s, struct request *r, double now, const char *error)
{
	struct rows *rows = s->simulation->requests;

	rows_count(rows, r->id);
	rows_seconds(rows, r->arrival);
	if (*error)
		for (int i = 0; i < 6; i++)
			rows_text(rows, "");
	else
		write_times(rows, r, now);
	rows_count(rows, (uint64_t)r->prefill_tokens);
	rows_count(rows, (uint64_t)r->decode_tokens);
	rows_text(rows, r->first_prefill_worker);
	rows_text(rows, r->first_decode_worker);
	rows_text(rows, error);
	rows_end(rows);
	++*(*error ? &s->simulation->num_failed : &s->simulation->num_finished);
	s->simulation->end = now;
	r->next = s->unused;
	s->unused = r;
}

/* COUNT (1 or -1) times R's tokens and length to the account of W. */
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
reserve_pages(struct worker *w, struct request *r)
{
	w->free_pages -= r->pages;
	r->pages_of = w;
}

static void
assign_prefill(struct serving *s, struct worker *w, struct request *r)
{
	r->prefill_worker = w;
	if (!*r->first_prefill_worker)
		r->first_prefill_worker = w->id;
	if (!w->is_prefill) {
		r->decode_worker = w;
		if (!*r->first_decode_worker)
			r->first_decode_worker = w->id;
	}
	worker_enqueue(w, &s->model, r);
}

/* Colocated mode: the block at hand goes to a worker; a sticky request is accounted for once, with all of its blocks. */
static void
dispatch_colocated(struct serving *s, struct request *r)
{
	struct worker *w = s->model.is_sticky ? r->prefill_worker : NULL;

	if (!w) {
		for (size_t i = 0; i < s->num_workers; i++)
			s->candidates[i] = &s->workers[i];
		w = policy_choose(s->model.prefill_policy, &s->model, s->candidates, s->num_workers, r, &s->prefill_turn,
		    &s->random);
		account_request(w, r, 1);
		account_prefill(w, r, s->model.is_sticky ? r->blocks : 1);
	}
	assign_prefill(s, w, r);
}

/* The block at hand has to be prefilled. */
static void
dispatch(struct serving *s, struct request *r, double now)
{
	r->waiting_since = now;
	if (s->model.is_hybrid)
		heap_push(&s->pending, 0, r->id, r);
	else
		dispatch_colocated(s, r);
}

static void
arrive(struct serving *s, const struct workload_request *source)
{
	struct request *r = new_request(s, source);

	if (r->pages > s->model.num_pages)
		leave(s, r, source->arrival, "needs more KV pages than a worker has");
	else
		dispatch(s, r, source->arrival);
}

/* Gathers the workers from FIRST to END that have R's pages free and, with a THRESHOLD, fewer outstanding tokens. */
static size_t
gather(struct serving *s, struct worker *first, const struct worker *end, const struct request *r, long threshold)
{
	size_t count = 0;

	for (struct worker *w = first; w < end; w++)
		if (w->free_pages >= r->pages && (threshold == 0 || w->outstanding_tokens < threshold))
			s->candidates[count++] = w;
	return count;
}

static bool
is_overloaded(const struct serving *s)
{
	for (const struct worker *w = s->workers; w < s->colocated; w++)
		if (w->outstanding_tokens < s->model.overload_tokens)
			return false;
	return true;
}

/* An overflow must leave the colocated workers the pages that prefilled requests wait for. */
static struct worker *
choose_overflow(struct serving *s, const struct request *r)
{
	const struct worker *end = s->workers + s->num_workers;
	size_t count = gather(s, s->colocated, end, r, s->model.overload_tokens);
	long available = -s->decode_ready_pages;

	for (const struct worker *w = s->colocated; w < end; w++)
		available += w->free_pages;
	if (available < r->pages)
		return NULL;
	return policy_choose(MODEL_LEAST_PREFILL_TOKENS, &s->model, s->candidates, count, r, NULL, &s->random);
}

/* Hybrid mode: a worker for the first pending block, if one can take it. */
static bool
place_pending(struct serving *s)
{
	struct request *r = heap_first(&s->pending);
	struct worker *w = NULL;

	if (!r)
		return false;
	if (!is_overloaded(s))
		w = policy_choose(s->model.prefill_policy, &s->model, s->candidates,
		    gather(s, s->workers, s->colocated, r, 0), r, &s->prefill_turn, &s->random);
	if (!w && s->model.overflows)
		w = choose_overflow(s, r);
	if (!w)
		return false;
	heap_pop(&s->pending);
	reserve_pages(w, r);
	account_prefill(w, r, 1);
	account_request(w, r, 1);
	assign_prefill(s, w, r);
	return true;
}

/* Hybrid mode: a colocated worker for the first prefilled block, if one can take it; its KV pages start to move. */
static bool
place_decode_ready(struct serving *s, double now)
{
	struct request *r = heap_first(&s->decode_ready);
	struct worker *w;
	bool is_fast;

	if (!r)
		return false;
	w = policy_choose(s->model.decode_policy, &s->model, s->candidates,
	    gather(s, s->colocated, s->workers + s->num_workers, r, 0), r, &s->decode_turn, &s->random);
	if (!w)
		return false;
	heap_pop(&s->decode_ready);
	s->decode_ready_pages -= r->pages;
	w->free_pages -= r->pages; /* the others are free when the transfer is done */
	account_request(w, r, 1);
	r->decode_wait += now - r->waiting_since;
	r->decode_worker = w;
	if (!*r->first_decode_worker)
		r->first_decode_worker = w->id;
	is_fast = model_is_fast(&s->model, r->prefill_worker->gpu, w->gpu);
	heap_push(&s->transfers, now + (double)r->length *
	    (is_fast ? s->model.fast_transfer_time : s->model.slow_transfer_time), r->id, r);
	return true;
}

static void
end_transfer(struct serving *s, double now)
{
	struct request *r = heap_pop(&s->transfers);

	release_pages(r);
	r->pages_of = r->decode_worker;
	r->waiting_since = now;
	worker_enqueue_ready(r->decode_worker, r);
}

/* The block at hand is done on W: the next one is to be prefilled, or R has finished. */
static void
end_block(struct serving *s, struct worker *w, struct request *r, double now)
{
	release_pages(r);
	if (!s->model.is_sticky || r->blocks == 1)
		account_request(w, r, -1);
	if (!s->model.is_hybrid)
		account_prefill(w, r, -1);
	if (--r->blocks == 0) {
		leave(s, r, now, "");
		return;
	}
	start_block(s, r);
	dispatch(s, r, now);
}

/* R was prefilled on W, which took the block's first step as well. Returns whether it is to be decoded there. */
static bool
end_prefill(struct serving *s, struct worker *w, struct request *r, double now)
{
	if (r->first_token < 0)
		r->first_token = now;
	if (s->model.is_hybrid)
		account_prefill(w, r, -1);
	if (--r->passes == 0) {
		end_block(s, w, r, now);
		return false;
	}
	if (!w->is_prefill)
		return true;
	account_request(w, r, -1);
	r->waiting_since = now;
	heap_push(&s->decode_ready, 0, r->id, r);
	s->decode_ready_pages += r->pages;
	return false;
}

static void
end_pass(struct serving *s, struct worker *w, double now)
{
	size_t kept = 0, num_prefilling = w->num_prefilling;

	w->pass_end = INFINITY;
	w->num_prefilling = 0;
	for (size_t i = 0; i < w->num_decoding; i++) {
		struct request *r = w->decoding[i];

		if (--r->passes > 0)
			w->decoding[kept++] = r;
		else
			end_block(s, w, r, now);
	}
	w->num_decoding = kept;
	for (size_t i = 0; i < num_prefilling; i++)
		if (end_prefill(s, w, w->prefilling[i], now))
			worker_keep(w, w->prefilling[i]);
}

/* Whatever can start now, starts; the timeline learns of it. */
static void
settle(struct serving *s, double now)
{
	struct rows *rows = s->simulation->timeline;

	while (place_decode_ready(s, now))
		;
	while (place_pending(s))
		;
	for (size_t i = 0; i < s->num_workers; i++) {
		struct worker *w = &s->workers[i];

		worker_start_pass(w, &s->model, now);
		occupancy_set(&s->occupancies[i], rows, now, worker_num_waiting(w), worker_num_active(w));
	}
	if (s->model.is_hybrid)
		occupancy_set(&s->occupancies[s->num_workers], rows, now, s->pending.count + s->decode_ready.count,
		    s->transfers.count);
}

/* The worker whose pass ends first; NULL if none is running. */
static struct worker *
next_pass_end(const struct serving *s)
{
	struct worker *next = s->workers;

	for (size_t i = 1; i < s->num_workers; i++)
		if (s->workers[i].pass_end < next->pass_end)
			next = &s->workers[i];
	return next->pass_end < INFINITY ? next : NULL;
}

/* Of events at one time passes end first, then transfers; arrivals are last. */
static void
run(struct serving *s)
{
	struct workload *workload = &s->simulation->workload;
	struct workload_request next;
	bool has_next = workload_next(workload, &next);

	for (;;) {
		struct worker *w = next_pass_end(s);
		double pass = w ? w->pass_end : INFINITY;
		double transfer = s->transfers.count ? s->transfers.entries[0].key : INFINITY;
		double arrival = has_next ? next.arrival : INFINITY, now = fmin(fmin(pass, transfer), arrival);

		if (now == INFINITY)
			break;
		if (now == pass) {
			end_pass(s, w, now);
		} else if (now == transfer) {
			end_transfer(s, now);
		} else {
			arrive(s, &next);
			has_next = workload_next(workload, &next);
		}
		settle(s, now);
	}
	for (size_t i = 0; i < s->num_workers + s->model.is_hybrid; i++)
		occupancy_end(&s->occupancies[i], s->simulation->timeline, s->simulation->end);
}

static void
serving_init(struct serving *s)
{
	const struct model *m = &s->model;
	size_t num_prefill = m->prefill.count;

	s->num_workers = num_prefill + m->colocated.count;
	s->workers = memory_alloc(s->num_workers, sizeof *s->workers);
	s->colocated = s->workers + num_prefill;
	s->candidates = memory_alloc(s->num_workers, sizeof *s->candidates);
	s->occupancies = memory_alloc(s->num_workers + 1, sizeof *s->occupancies);
	for (size_t i = 0; i < s->num_workers; i++) {
		struct worker *w = &s->workers[i];

		if (i < num_prefill)
			worker_init(w, m, true, i, m->prefill.ids[i]);
		else
			worker_init(w, m, false, i - num_prefill, m->colocated.ids[i - num_prefill]);
		s->occupancies[i].id = w->id;
		s->occupancies[i].type = w->type;
	}
	s->occupancies[s->num_workers].id = s->occupancies[s->num_workers].type = "scheduler";
}

static void
serving_free(struct serving *s)
{
	struct request *r;

	while ((r = s->unused) != NULL) {
		s->unused = r->next;
		free(r);
	}
	for (size_t i = 0; i < s->num_workers; i++)
		worker_free(&s->workers[i]);
	heap_free(&s->pending);
	heap_free(&s->decode_ready);
	heap_free(&s->transfers);
	free(s->workers);
	free(s->candidates);
	free(s->occupancies);
	model_free(&s->model);
}

int
serving_run(struct simulation *simulation, struct settings *settings, const char *directory, struct error *e)
{
	struct serving s = { .simulation = simulation };
	int status = -1;

	model_init(&s.model, settings);
	random_seed(&s.random, (uint64_t)settings_integer(settings, "seed", 0, INT64_MAX), STREAM);
	if (!error_is_set(e) && simulation_open(simulation, HEADER, directory, e) == 0) {
		serving_init(&s);
		run(&s);
		status = 0;
	}
	if (status == 0 && simulation->num_finished + simulation->num_failed != simulation->workload.count)
		status = error_add(e, EX_SOFTWARE, NULL, 0, "the simulated system came to a standstill; this is a fault of its model");
	serving_free(&s);
	return status;
}
