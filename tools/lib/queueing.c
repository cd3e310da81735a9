#include <math.h>
#include <stdlib.h>

#include "heap.h"
#include "memory.h"
#include "model.h"
#include "occupancy.h"
#include "settings.h"
#include "simulation.h"

enum { STREAM = 4 };

#define HEADER "request_id,arrival_time,request_scheduling_delay,request_e2e_time,error"

struct customer {
	uint64_t id;
	double arrival, service, start; /* seconds */
	struct customer *next;
};

struct queueing {
	struct simulation *simulation;
	struct random random;
	double service_time, service_cv;
	size_t num_servers;
	struct heap in_service;          /* by the end of the service */
	struct customer *first, *last;   /* waiting, in order of arrival */
	size_t num_waiting;
	struct customer *unused;
	struct occupancy occupancy;
};

static void
arrive(struct queueing *q, double now)
{
	struct customer *c = q->unused ? q->unused : memory_alloc(1, sizeof *c);

	q->unused = c->next;
	*c = (struct customer){ .id = q->simulation->workload.count - 1, .arrival = now,
		.service = q->service_time * random_gamma(&q->random, q->service_cv) };
	*(q->num_waiting++ ? &q->last->next : &q->first) = c;
	q->last = c;
}

static void
depart(struct queueing *q, double now)
{
	struct customer *c = heap_pop(&q->in_service);
	struct rows *rows = q->simulation->requests;

	rows_count(rows, c->id);
	rows_seconds(rows, c->arrival);
	rows_seconds(rows, c->start - c->arrival);
	rows_seconds(rows, now - c->arrival);
	rows_text(rows, "");
	rows_end(rows);
	q->simulation->num_finished++;
	q->simulation->end = now;
	c->next = q->unused;
	q->unused = c;
}

static void
serve(struct queueing *q, double now)
{
	while (q->num_waiting && q->in_service.count < q->num_servers) {
		struct customer *c = q->first;

		q->first = c->next;
		q->num_waiting--;
		c->start = now;
		heap_push(&q->in_service, now + c->service, c->id, c);
	}
	occupancy_set(&q->occupancy, q->simulation->timeline, now, q->num_waiting, q->in_service.count);
}

static void
run(struct queueing *q)
{
	struct workload_request next;
	bool has_next = workload_next(&q->simulation->workload, &next);

	while (has_next || q->in_service.count) {
		double departure = q->in_service.count ? q->in_service.entries[0].key : INFINITY;

		if (has_next && next.arrival < departure) {
			double now = next.arrival;

			arrive(q, now);
			has_next = workload_next(&q->simulation->workload, &next);
			serve(q, now);
		} else {
			depart(q, departure);
			serve(q, departure);
		}
	}
	occupancy_end(&q->occupancy, q->simulation->timeline, q->simulation->end);
}

int
queueing_run(struct simulation *simulation, struct settings *settings, const char *directory, struct error *e)
{
	struct queueing q = { .simulation = simulation, .occupancy = { .id = "queue", .type = "queue" } };
	struct model_gpus gpus;
	struct customer *c;

	model_read_gpus(&gpus, settings, "gpus");
	q.num_servers = gpus.count;
	free(gpus.ids);
	q.service_time = settings_number(settings, "sim_service_time_s", 0, 1e6);
	q.service_cv = settings_number(settings, "sim_service_cv", 0, 100);
	random_seed(&q.random, (uint64_t)settings_integer(settings, "seed", 0, INT64_MAX), STREAM);
	if (error_is_set(e) || simulation_open(simulation, HEADER, directory, e) < 0)
		return -1;
	run(&q);
	while ((c = q.unused) != NULL) {
		q.unused = c->next;
		free(c);
	}
	heap_free(&q.in_service);
	return 0;
}
