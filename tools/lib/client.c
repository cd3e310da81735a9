#include "client.h"

#include <curl/curl.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "clock.h"
#include "memory.h"
#include "slot.h"

enum {
	EVENTS = 16, /* before what is due comes first again */
	SPARE = 64,  /* slots made in advance */
	OTHER_FILES = 64 /* kept for what is no connection */
};

long
client_most_connections(void)
{
	struct rlimit limit;
	long most;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return CLIENT_CONNECTIONS_MAX;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	most = limit.rlim_max > 2 * CLIENT_CONNECTIONS_MAX ? CLIENT_CONNECTIONS_MAX : (long)limit.rlim_max - OTHER_FILES;
	most -= (most / SLOT_GROUP + 1) * SLOT_GROUP_FILES;
	return most < 1 ? 1 : most;
}

struct watch *
client_watch(struct client *c, int fd)
{
	if ((size_t)fd >= c->num_watches) {
		size_t count = 2 * (size_t)fd + 64;

		c->watches = memory_resize(c->watches, count, sizeof *c->watches);
		memset(c->watches + c->num_watches, 0, (count - c->num_watches) * sizeof *c->watches);
		c->num_watches = count;
	}
	return &c->watches[fd];
}

/* Finds out where requests go, and which part sends them. */
static int
take_url(struct client *c, struct error *e)
{
	if (target_read(c->options.url, &c->target, e) < 0)
		return -1;
	if (c->options.unix_socket)
		target_set_socket(&c->target, c->options.unix_socket);
	else if (target_find(&c->target, e) < 0)
		return -1;
	c->is_plain = c->options.version == CLIENT_HTTP_1_1 && !c->target.is_tls && !c->target.has_user;
	if (c->is_plain)
		wire_init(c);
	else
		lanes_init(c);
	return 0;
}

static struct slot *
make_slot(struct client *c)
{
	struct slot *s = memory_alloc(1, sizeof *s);

	s->client = c;
	if (!c->is_plain)
		lanes_add(c, s);
	c->num_slots++;
	return s;
}

static void
stop(struct slot *s)
{
	if (s->client->is_plain)
		wire_stop(s);
	else
		lanes_stop(s);
}

static void
free_slots(struct slot *s, bool are_under_way)
{
	struct slot *next;

	for (; s; s = next) {
		next = s->next;
		if (are_under_way)
			stop(s);
		if (!s->client->is_plain)
			lanes_remove(s);
		free(s->exchange.own_body.bytes);
		free(s);
	}
}

struct client *
client_new(const struct client_options *o, struct error *e)
{
	struct client *c = memory_alloc(1, sizeof *c);

	curl_global_init(CURL_GLOBAL_DEFAULT);
	c->options = *o;
	c->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (c->epoll < 0)
		memory_exhausted();
	if (take_url(c, e) < 0) {
		client_free(c);
		return NULL;
	}
	for (int i = 0; i < SPARE && i < o->max_in_flight; i++) {
		struct slot *s = make_slot(c);

		s->next = c->unused;
		c->unused = s;
	}
	return c;
}

void
client_free(struct client *c)
{
	if (!c)
		return;
	free_slots(c->oldest, true);
	free_slots(c->finished, false);
	free_slots(c->unused, false);
	lanes_free(c);
	wire_free(c);
	target_free(&c->target);
	close(c->epoll);
	free(c->watches);
	free(c);
	curl_global_cleanup();
}

struct exchange *
client_take(struct client *c)
{
	struct slot *s = c->unused;

	if (!s && c->num_slots >= c->options.max_in_flight)
		return NULL;
	if (s)
		c->unused = s->next;
	else
		s = make_slot(c);
	s->next = NULL;
	return &s->exchange;
}

void
slot_finish(struct slot *s)
{
	struct client *c = s->client;

	*(s->previous ? &s->previous->next : &c->oldest) = s->next;
	*(s->next ? &s->next->previous : &c->newest) = s->previous;
	s->next = NULL;
	*(c->finished ? &c->last_finished->next : &c->finished) = s;
	c->last_finished = s;
	c->in_flight--;
}

bool
slot_is_scarcity(int number)
{
	return number == EMFILE || number == ENFILE || number == ENOBUFS || number == ENOMEM || number == EADDRNOTAVAIL;
}

void
slot_fail(struct slot *s, const char *text, const char *more)
{
	char *to = s->exchange.error;

	snprintf(to, CLIENT_TEXT_MAX, "%s%s%s", text, *more ? ": " : "", more);
	for (; *to; to++)
		if ((unsigned char)*to < ' ' || *to == 0x7f)
			*to = ' ';
}

void
slot_judge(struct slot *s)
{
	struct exchange *x = &s->exchange;

	if (x->status < 200 || x->status > 299) {
		snprintf(x->error, sizeof x->error, "HTTP status %ld", x->status);
	} else if (s->client->options.is_stream) {
		stream_end(&x->stream, x->end);
		if (x->stream.fault)
			slot_fail(s, x->stream.fault, x->stream.chunk.message);
	}
}

void
client_start(struct client *c, struct exchange *x)
{
	struct slot *s = (struct slot *)x;

	s->fault = NULL;
	x->error[0] = '\0';
	x->first_byte = x->end = 0;
	x->status = 0;
	x->is_own_fault = false;
	stream_start(&x->stream);
	s->previous = c->newest;
	s->next = NULL;
	*(c->newest ? &c->newest->next : &c->oldest) = s;
	c->newest = s;
	if (++c->in_flight > c->max_in_flight)
		c->max_in_flight = c->in_flight;
	x->sent = x->handed = clock_now();
	if (c->is_plain)
		wire_start(s);
	else
		lanes_start(s);
	x->handed = clock_now();
}

/* Ends what took too long; the oldest is due first. */
static void
expire(struct client *c, double now)
{
	while (c->oldest && c->oldest->exchange.due + c->options.timeout <= now) {
		struct slot *s = c->oldest;

		s->exchange.end = now;
		snprintf(s->exchange.error, sizeof s->exchange.error, "timed out after %g s", c->options.timeout);
		stop(s);
		slot_finish(s);
	}
}

void
client_wait(struct client *c, double until)
{
	struct epoll_event events[EVENTS];
	struct timespec wait;
	double seconds, now = clock_now();
	int count;

	until = fmin(until, lanes_timer(c));
	if (c->oldest && c->oldest->exchange.due + c->options.timeout < until)
		until = c->oldest->exchange.due + c->options.timeout;
	seconds = c->finished || until <= now ? 0 : fmin(until - now, 3600);
	wait.tv_sec = (time_t)seconds;
	wait.tv_nsec = (long)((seconds - (double)wait.tv_sec) * 1e9);
	count = epoll_pwait2(c->epoll, events, EVENTS, &wait, NULL);
	for (int i = 0; i < count; i++) {
		struct watch *w = client_watch(c, events[i].data.fd);

		if (w->wire)
			wire_take(w->wire, events[i].events);
		else
			lanes_take(c, events[i].data.fd, w, events[i].events);
	}
	now = clock_now();
	lanes_run_timers(c, now);
	expire(c, now);
}

struct exchange *
client_finished(struct client *c)
{
	struct slot *s = c->finished;

	if (!s)
		return NULL;
	c->finished = s->next;
	s->next = NULL;
	return &s->exchange;
}

void
client_give_back(struct client *c, struct exchange *x)
{
	struct slot *s = (struct slot *)x;

	s->next = c->unused;
	c->unused = s;
}

long
client_in_flight(const struct client *c)
{
	return c->in_flight;
}

long
client_max_in_flight(const struct client *c)
{
	return c->max_in_flight;
}

uint64_t
client_connections(const struct client *c)
{
	return c->connections;
}
