#include "load.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "clock.h"
#include "memory.h"

enum { BURST = 16, ROWS_MAX = 128, WARMUPS_AT_A_TIME = 8 }; /* starts between two looks at the network; rows in a write */

#define ROWS_DELAY 0.02    /* seconds that a row waits for others, at the most */
#define LATENESS_MAX 1e-3  /* seconds */
#define THRESHOLD_PART 0.05

struct run {
	struct load *load;
	struct workload_request request; /* the next one */
	bool has_request;                /* there is one */
	struct exchange *exchange;       /* for it; NULL: none is free */
	bool is_waiting;                 /* it is due and none is free */
	double due;
	size_t num_rows;                 /* not yet written */
	double oldest_row;               /* when the first of these was made */
};

/* Takes an exchange for the next request, if one is free, and writes its body while there is time. */
static void
prepare(struct run *r, uint64_t id)
{
	struct load *l = r->load;
	struct exchange *x = r->exchange = client_take(l->client);

	if (!x)
		return;
	x->id = id;
	x->due = r->due;
	x->body = payload_constant(l->payload, &x->body_size);
	if (!x->body)
		payload_next(l->payload, id, r->request.tokens, &x->own_body);
}

static void
next_request(struct run *r)
{
	struct load *l = r->load;

	r->exchange = NULL;
	r->is_waiting = false;
	r->has_request = workload_next(l->workload, &r->request);
	if (!r->has_request)
		return;
	r->due = l->start + r->request.arrival;
	prepare(r, l->workload->count - 1);
}

static void
count_failure(struct load *l, const char *text)
{
	int i = 0;

	while (i < LOAD_CAUSES - 1 && l->causes[i].count > 0 && strcmp(l->causes[i].text, text) != 0)
		i++;
	if (l->causes[i].count++ == 0)
		strcpy(l->causes[i].text, i < LOAD_CAUSES - 1 ? text : "other");
	l->num_failed++;
}

/* A number of seconds, or an empty cell. */
static void
put_seconds(struct rows *rows, double seconds, bool is_known)
{
	if (is_known)
		rows_seconds(rows, seconds > 0 ? seconds : 0);
	else
		rows_text(rows, "");
}

static void
put_count(struct rows *rows, long count)
{
	if (count >= 0)
		rows_count(rows, (uint64_t)count);
	else
		rows_text(rows, "");
}

static void
put_row(struct run *r, const struct exchange *x)
{
	struct load *l = r->load;
	struct rows *rows = l->rows;
	const struct stream *s = &x->stream;
	bool is_good = !*x->error;
	double first = s->num_chunks > 0 ? s->first : x->first_byte;

	rows_count(rows, x->id);
	rows_seconds(rows, x->due - l->start);
	put_seconds(rows, x->sent - x->due, is_good && x->sent > 0);
	put_seconds(rows, first - x->due, is_good && first > 0);
	put_seconds(rows, stream_token_time(s), is_good && !isnan(stream_token_time(s)));
	put_seconds(rows, x->end - x->due, is_good);
	put_count(rows, x->status > 0 ? x->status : -1);
	rows_quoted(rows, x->error);
	put_count(rows, is_good ? s->prompt_tokens : -1);
	put_count(rows, is_good ? s->completion_tokens : -1);
	rows_end(rows);
	if (r->num_rows++ == 0)
		r->oldest_row = clock_now();
	if (is_good)
		l->num_successful++;
	else
		count_failure(l, x->error);
	l->num_unconnected += x->is_own_fault;
}

/* The next request is due, and there was no connection for it within the time-out. */
static void
give_up(struct run *r)
{
	struct exchange x = { .id = r->load->workload->count - 1, .due = r->due, .is_own_fault = true,
		.stream = { .prompt_tokens = -1, .completion_tokens = -1 }, .error = "no free connection within the time-out" };

	put_row(r, &x);
	next_request(r);
}

/* Starts what is due at NOW. */
static void
start_due(struct run *r, double now)
{
	struct load *l = r->load;

	for (int i = 0; i < BURST && r->has_request && r->due <= now; i++) {
		if (r->is_waiting && now >= r->due + l->timeout) {
			lateness_add(&l->lateness, now - r->due);
			give_up(r);
			continue;
		}
		if (!r->exchange)
			prepare(r, l->workload->count - 1);
		if (r->exchange) {
			client_start(l->client, r->exchange);
			now = r->exchange->handed;
			lateness_add(&l->lateness, now - r->due);
			next_request(r);
			continue;
		}
		if (!r->is_waiting)
			l->num_waited++;
		r->is_waiting = true;
		if (now < r->due + l->timeout)
			break;
	}
}

static void
take_finished(struct run *r)
{
	struct exchange *x;

	while (r->num_rows < ROWS_MAX && (x = client_finished(r->load->client)) != NULL) {
		put_row(r, x);
		client_give_back(r->load->client, x);
	}
}

/* Until when there is nothing to do for the run. */
static double
next_event(const struct run *r)
{
	double until = INFINITY;

	if (r->has_request)
		until = r->is_waiting ? r->due + r->load->timeout : r->due;
	if (r->num_rows > 0)
		until = fmin(until, r->oldest_row + ROWS_DELAY);
	return until;
}

static int
write_rows(struct run *r, struct error *e)
{
	if (r->num_rows == 0 || (r->num_rows < ROWS_MAX && clock_now() < r->oldest_row + ROWS_DELAY))
		return 0;
	r->num_rows = 0;
	return rows_flush(r->load->rows, e);
}

/* A few at a time, until all came to their end. */
static void
warm_up(struct load *l)
{
	const struct length_tokens tokens = { 1, 1 };
	long started = 0;

	while (started < l->num_warmups || client_in_flight(l->client) > 0) {
		struct exchange *x = NULL;

		if (started < l->num_warmups && client_in_flight(l->client) < WARMUPS_AT_A_TIME)
			x = client_take(l->client);
		if (x) {
			x->due = clock_now();
			x->body = payload_constant(l->payload, &x->body_size);
			if (!x->body)
				payload_next(l->payload, (uint64_t)started, tokens, &x->own_body);
			client_start(l->client, x);
			started++;
		} else {
			client_wait(l->client, INFINITY);
		}
		while ((x = client_finished(l->client)) != NULL) {
			l->num_failed_warmups += *x->error != '\0';
			client_give_back(l->client, x);
		}
	}
}

int
load_run(struct load *l, struct error *e)
{
	struct run r = { .load = l };

	warm_up(l);
	if (rows_flush(l->rows, e) < 0)
		return -1;
	l->start = clock_now();
	next_request(&r);
	while (r.has_request || client_in_flight(l->client) > 0 || r.num_rows > 0) {
		start_due(&r, clock_now());
		client_wait(l->client, next_event(&r));
		take_finished(&r);
		if (write_rows(&r, e) < 0)
			return -1;
	}
	l->elapsed = clock_now() - l->start;
	return 0;
}

char *
load_limit(const struct load *l)
{
	double median = lateness_quantile(&l->lateness, 0.5), limit = fmin(LATENESS_MAX, THRESHOLD_PART * l->threshold);

	if (l->num_unconnected > 0)
		return memory_format("%" PRIu64 " requests had no connection: out of connections, files or ports", l->num_unconnected);
	if (l->num_waited > 0)
		return memory_format("%" PRIu64 " requests had to wait for a free connection, %ld being in use",
		    l->num_waited, client_max_in_flight(l->client));
	if (median > limit)
		return memory_format("requests were sent %.3g ms late at the median; expected no more than %.3g ms",
		    median * 1e3, limit * 1e3);
	return NULL;
}
