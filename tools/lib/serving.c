/*
 * The serving system as a discrete-event simulation. Events are the next arrival, the end of each worker's
 * pass and the end of each KV transfer; after each, whatever can now start, starts.
 */
#include <math.h>
#include <stdlib.h>
#include <sysexits.h>

#include "memory.h"
#include "model.h"
#include "occupancy.h"
#include "scheduler.h"
#include "settings.h"
#include "simulation.h"
#include "worker.h"

#define HEADER "request_id,arrival_time,request_scheduling_delay,request_scheduling_delay_prefill," \
	"request_scheduling_delay_decode,ttft,tpot,request_e2e_time,prefill_tokens,decode_tokens," \
	"prefill_worker_id,decode_worker_id,error"

struct serving {
	struct simulation *simulation;
	struct model model;
	struct scheduler scheduler;
	struct request *unused;
	struct occupancy *occupancies; /* of the workers, then of the scheduler */
};

/* Sets the passes that the block that R is at takes; its prefill is the first. */
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

static void
arrive(struct serving *s, const struct workload_request *source)
{
	struct request *r = new_request(s, source);

	if (r->pages > s->model.num_pages)
		leave(s, r, source->arrival, "needs more KV pages than a worker has");
	else
		scheduler_dispatch(&s->scheduler, r, source->arrival);
}

/* The block at hand is done on W: the next one is to be prefilled, or R has finished. */
static void
end_block(struct serving *s, struct worker *w, struct request *r, double now)
{
	scheduler_end_block(&s->scheduler, w, r);
	if (--r->blocks == 0) {
		leave(s, r, now, "");
		return;
	}
	start_block(s, r);
	scheduler_dispatch(&s->scheduler, r, now);
}

static void
end_prefill(struct serving *s, struct worker *w, struct request *r, double now)
{
	if (r->first_token < 0)
		r->first_token = now;
	scheduler_end_prefill(&s->scheduler, w, r);
	if (--r->passes == 0)
		end_block(s, w, r, now);
	else if (w->is_prefill)
		scheduler_want_decode(&s->scheduler, w, r, now);
	else
		worker_keep(w, r);
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
		end_prefill(s, w, w->prefilling[i], now);
}

/* Whatever can start now, starts; the timeline learns of it. */
static void
settle(struct serving *s, double now)
{
	struct scheduler *scheduler = &s->scheduler;
	struct rows *rows = s->simulation->timeline;

	scheduler_place(scheduler, now);
	for (size_t i = 0; i < scheduler->num_workers; i++) {
		struct worker *w = &scheduler->workers[i];

		worker_start_pass(w, &s->model, now);
		occupancy_set(&s->occupancies[i], rows, now, worker_num_waiting(w), worker_num_active(w));
	}
	if (s->model.is_hybrid)
		occupancy_set(&s->occupancies[scheduler->num_workers], rows, now, scheduler_num_waiting(scheduler),
		    scheduler->transfers.count);
}

/* The worker whose pass ends first; its pass_end is INFINITY if none is running. */
static struct worker *
next_worker(const struct scheduler *scheduler)
{
	struct worker *next = scheduler->workers;

	for (size_t i = 1; i < scheduler->num_workers; i++)
		if (scheduler->workers[i].pass_end < next->pass_end)
			next = &scheduler->workers[i];
	return next;
}

/* Of events at one time passes end first, then transfers; arrivals are last. */
static void
run(struct serving *s)
{
	struct workload *workload = &s->simulation->workload;
	struct workload_request next;
	bool has_next = workload_next(workload, &next);

	for (;;) {
		struct worker *w = next_worker(&s->scheduler);
		double transfer = scheduler_transfer_end(&s->scheduler), arrival = has_next ? next.arrival : INFINITY;
		double now = fmin(fmin(w->pass_end, transfer), arrival);

		if (now == INFINITY)
			break;
		if (now == w->pass_end) {
			end_pass(s, w, now);
		} else if (now == transfer) {
			scheduler_end_transfer(&s->scheduler, now);
		} else {
			arrive(s, &next);
			has_next = workload_next(workload, &next);
		}
		settle(s, now);
	}
}

/* Runs, between the first and the last rows of the timeline. Returns 0, or -1 if requests are left in the system. */
static int
run_with_timeline(struct serving *s, struct error *e)
{
	size_t count = s->scheduler.num_workers;

	s->occupancies = memory_alloc(count + 1, sizeof *s->occupancies);
	for (size_t i = 0; i < count; i++) {
		s->occupancies[i].id = s->scheduler.workers[i].id;
		s->occupancies[i].type = s->scheduler.workers[i].type;
	}
	s->occupancies[count].id = s->occupancies[count].type = "scheduler";
	run(s);
	for (size_t i = 0; i < count + s->model.is_hybrid; i++)
		occupancy_end(&s->occupancies[i], s->simulation->timeline, s->simulation->end);
	if (s->simulation->num_finished + s->simulation->num_failed == s->simulation->workload.count)
		return 0;
	return error_add(e, EX_SOFTWARE, NULL, 0, "the simulated system came to a standstill; this is a fault of its model");
}

int
serving_run(struct simulation *simulation, struct settings *settings, const char *directory, struct error *e)
{
	struct serving s = { .simulation = simulation };
	struct request *r;
	int status = -1;

	model_init(&s.model, settings);
	scheduler_init(&s.scheduler, &s.model, (uint64_t)settings_integer(settings, "seed", 0, INT64_MAX));
	if (!error_is_set(e) && simulation_open(simulation, HEADER, directory, e) == 0)
		status = run_with_timeline(&s, e);
	while ((r = s.unused) != NULL) {
		s.unused = r->next;
		free(r);
	}
	free(s.occupancies);
	scheduler_free(&s.scheduler);
	model_free(&s.model);
	return status;
}
