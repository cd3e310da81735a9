#include <curl/curl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/epoll.h>

#include "clock.h"
#include "handle.h"
#include "memory.h"
#include "slot.h"

/*
 * A multi handle of libcurl, which looks through all of its connections for each request; with thousands of them, that
 * would take longer than all the rest. So each has a few slots, and connections enough for them. (HTTP/2 has
 * one lane, to share the connections.)
 */
struct lane {
	struct client *client;
	CURLM *multi;
	double timer; /* when libcurl wants to be called; clock_now(); INFINITY: never */
};

static void
set_watch(struct client *c, int fd, struct watch *w, unsigned char events)
{
	struct epoll_event event = { .events = (events & CURL_POLL_IN ? EPOLLIN : 0u) | (events & CURL_POLL_OUT ? EPOLLOUT : 0u),
		.data.fd = fd };

	if (epoll_ctl(c->epoll, !events ? EPOLL_CTL_DEL : w->watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event) == 0 || !events)
		w->watched = events;
}

/*
 * libcurl stops to watch a connection after each request and starts again with the next. A socket that is watched
 * already is left alone until something comes that nobody wants: that saves two system calls a request.
 */
static int
want_socket(CURL *easy, curl_socket_t fd, int what, void *data, void *unused)
{
	struct lane *lane = data;
	struct client *c = lane->client;
	struct watch *w = client_watch(c, fd);

	(void)easy;
	(void)unused;
	w->lane = lane;
	w->wanted = what == CURL_POLL_REMOVE ? 0 : (unsigned char)what;
	if (w->wanted & (unsigned char)~w->watched || (w->watched & CURL_POLL_OUT && w->watched != w->wanted))
		set_watch(c, fd, w, w->wanted ? w->wanted : CURL_POLL_IN);
	return 0;
}

static int
want_timer(CURLM *multi, long milliseconds, void *data)
{
	struct lane *lane = data;

	(void)multi;
	lane->timer = milliseconds < 0 ? INFINITY : milliseconds == 0 ? 0 : clock_now() + (double)milliseconds / 1e3;
	return 0;
}

static struct lane *
make_lane(struct client *c)
{
	struct lane *lane = memory_alloc(1, sizeof *lane);

	lane->client = c;
	lane->timer = INFINITY;
	lane->multi = curl_multi_init();
	if (!lane->multi)
		memory_exhausted();
	curl_multi_setopt(lane->multi, CURLMOPT_SOCKETFUNCTION, want_socket);
	curl_multi_setopt(lane->multi, CURLMOPT_SOCKETDATA, lane);
	curl_multi_setopt(lane->multi, CURLMOPT_TIMERFUNCTION, want_timer);
	curl_multi_setopt(lane->multi, CURLMOPT_TIMERDATA, lane);
	curl_multi_setopt(lane->multi, CURLMOPT_MAXCONNECTS, c->lane_size);
	if (handle_is_single_use(&c->options))
		curl_multi_setopt(lane->multi, CURLMOPT_PIPELINING, CURLPIPE_NOTHING);
	c->lanes = memory_resize(c->lanes, c->num_lanes + 1, sizeof *c->lanes);
	return c->lanes[c->num_lanes++] = lane;
}

void
lanes_init(struct client *c)
{
	const struct client_options *o = &c->options;
	char *names = target_resolution(&c->target);

	c->lane_size = o->version == CLIENT_HTTP_1_1 ? SLOT_GROUP : o->max_in_flight;
	c->headers = curl_slist_append(NULL, "Expect:");
	for (size_t i = 0; i < o->headers.count; i++)
		c->headers = curl_slist_append(c->headers, o->headers.list[i]);
	if (names) /* looked up once and for all, not by a thread for each request */
		c->names = curl_slist_append(NULL, names);
	free(names);
}

void
lanes_add(struct client *c, struct slot *s)
{
	s->lane = c->num_slots % c->lane_size == 0 ? make_lane(c) : c->lanes[c->num_lanes - 1];
	handle_make(s);
}

void
lanes_remove(struct slot *s)
{
	handle_free(s);
}

void
lanes_free(struct client *c)
{
	for (size_t i = 0; i < c->num_lanes; i++) {
		curl_multi_cleanup(c->lanes[i]->multi);
		free(c->lanes[i]);
	}
	free(c->lanes);
	curl_slist_free_all(c->headers);
	curl_slist_free_all(c->names);
}

static void
end(struct slot *s, CURLcode code)
{
	bool is_again = handle_is_again(s, code);

	if (!is_again)
		handle_judge(s, code);
	lanes_stop(s);
	if (is_again)
		curl_multi_add_handle(s->lane->multi, s->easy);
	else
		slot_finish(s);
}

static void
collect(struct lane *lane)
{
	CURLMsg *message;
	int left;

	while ((message = curl_multi_info_read(lane->multi, &left)) != NULL) {
		struct slot *s;

		if (message->msg != CURLMSG_DONE)
			continue;
		curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &s);
		end(s, message->data.result);
	}
}

static void
act(struct lane *lane, curl_socket_t fd, int events)
{
	int running;

	curl_multi_socket_action(lane->multi, fd, events, &running);
	collect(lane);
}

/* libcurl does not set a timer again that it finds was called for too early. */
static void
run_timer(struct lane *lane)
{
	double before = lane->timer;

	act(lane, CURL_SOCKET_TIMEOUT, 0);
	if (lane->timer == before)
		lane->timer = clock_now() + 1e-3;
}

void
lanes_start(struct slot *s)
{
	handle_prepare(s);
	curl_multi_add_handle(s->lane->multi, s->easy);
	run_timer(s->lane);
}

void
lanes_stop(struct slot *s)
{
	curl_multi_remove_handle(s->lane->multi, s->easy);
}

/* What is watched and nobody wants is not watched any longer. */
void
lanes_take(struct client *c, int fd, struct watch *w, unsigned events)
{
	int what = 0;

	if (events & EPOLLIN)
		what |= CURL_CSELECT_IN;
	if (events & EPOLLOUT)
		what |= CURL_CSELECT_OUT;
	if (events & (EPOLLERR | EPOLLHUP))
		what |= CURL_CSELECT_ERR;
	if (w->wanted)
		act(w->lane, fd, what);
	else
		set_watch(c, fd, w, 0);
}

double
lanes_timer(const struct client *c)
{
	double first = INFINITY;

	for (size_t i = 0; i < c->num_lanes; i++)
		first = fmin(first, c->lanes[i]->timer);
	return first;
}

void
lanes_run_timers(struct client *c, double now)
{
	for (size_t i = 0; i < c->num_lanes; i++)
		if (c->lanes[i]->timer <= now)
			run_timer(c->lanes[i]);
}
