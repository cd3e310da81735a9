#include "client.h"

#include <curl/curl.h>
#include <errno.h>
#include <math.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sysexits.h>
#include <unistd.h>

#include "clock.h"
#include "memory.h"

enum {
	EVENTS = 16,   /* before what is due comes first again */
	SPARE = 64     /* slots made in advance */
};

/* An exchange with its libcurl handle, both used again and again. */
struct slot {
	struct exchange exchange; /* first: a pointer to one is a pointer to the other */
	struct client *client;
	struct lane *lane;
	CURL *easy;
	struct slot *previous, *next; /* in one of the client's lists */
	size_t header_bytes;
	int socket_errno;             /* of a socket that could not be made */
	const char *fault;            /* why we broke it off; NULL: we did not */
	char text[CURL_ERROR_SIZE];
};

/*
 * A multi handle of libcurl, which looks through all of its connections for each request; with thousands of them, that
 * would take longer than all the rest. So each has a few slots, and connections enough for them. (HTTP/2 has
 * one lane, to share the connections.)
 */
struct lane {
	struct client *client;
	CURLM *multi;
	double timer;  /* when libcurl wants to be called; clock_now(); INFINITY: never */
};

/* What epoll watches of a socket, and what libcurl wants to know of it. */
struct watch {
	struct lane *lane;
	unsigned char watched, wanted;
};

struct client {
	struct client_options options;
	struct lane **lanes;
	size_t num_lanes;
	long lane_size;
	int epoll;
	struct watch *watches;        /* by descriptor */
	size_t num_watches;
	struct curl_slist *headers, *addresses;
	struct slot *unused;          /* singly linked */
	struct slot *oldest, *newest; /* under way, in the order of their starts */
	struct slot *finished, *last_finished;
	long in_flight, max_in_flight, num_slots;
	uint64_t connections;
};

static void
break_off(struct slot *s, const char *fault)
{
	if (!s->fault)
		s->fault = fault;
}

/* 100 Continue and the like are no answer yet. */
static bool
is_interim(const char *line, size_t size)
{
	const char *blank = memchr(line, ' ', size);

	return size < 5 || memcmp(line, "HTTP/", 5) != 0 || (blank && blank + 1 < line + size && blank[1] == '1');
}

static size_t
take_header(char *bytes, size_t size, size_t count, void *data)
{
	struct slot *s = data;

	size *= count;
	s->header_bytes += size;
	if (s->header_bytes > CLIENT_HEADERS_MAX) {
		break_off(s, "headers too long");
		return 0;
	}
	if (s->exchange.first_byte == 0 && !is_interim(bytes, size))
		s->exchange.first_byte = clock_now();
	return size;
}

static size_t
take_body(char *bytes, size_t size, size_t count, void *data)
{
	struct slot *s = data;

	size *= count;
	if (s->client->options.is_stream) {
		stream_read(&s->exchange.stream, bytes, size, clock_now());
		if (s->exchange.stream.fault) {
			break_off(s, s->exchange.stream.fault);
			return 0;
		}
	}
	return size;
}

static curl_socket_t
open_socket(void *data, curlsocktype purpose, struct curl_sockaddr *address)
{
	struct slot *s = data;
	int fd = socket(address->family, address->socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address->protocol);

	(void)purpose;
	if (fd < 0)
		s->socket_errno = errno;
	else
		s->client->connections++;
	return fd < 0 ? CURL_SOCKET_BAD : fd;
}

static struct watch *
watch_of(struct client *c, int fd)
{
	if ((size_t)fd >= c->num_watches) {
		size_t count = 2 * (size_t)fd + 64;

		c->watches = memory_resize(c->watches, count, sizeof *c->watches);
		memset(c->watches + c->num_watches, 0, (count - c->num_watches) * sizeof *c->watches);
		c->num_watches = count;
	}
	return &c->watches[fd];
}

/* The kernel forgets a closed socket by itself. */
static int
close_socket(void *data, curl_socket_t fd)
{
	*watch_of(data, fd) = (struct watch){ NULL, 0, 0 };
	return close(fd);
}

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
	struct watch *w = watch_of(c, fd);

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

/*
 * "HOST:PORT:ADDRESS,ADDRESS..." for CURLOPT_RESOLVE: names are looked up once and for all, not by a thread for each
 * request.
 */
static int
find_addresses(struct client *c, const char *host, const char *port, struct error *e)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG };
	struct addrinfo *found = NULL;
	int status = getaddrinfo(host, port, &hints, &found);
	char *text, *shorter;

	if (status != 0)
		return error_add(e, EX_UNAVAILABLE, NULL, 0, "%s: cannot find the host: %s", host, gai_strerror(status));
	text = memory_format("%s:%s:", host, port);
	for (struct addrinfo *a = found; a; a = a->ai_next) {
		char address[NI_MAXHOST];

		if (getnameinfo(a->ai_addr, a->ai_addrlen, address, sizeof address, NULL, 0, NI_NUMERICHOST) != 0)
			continue;
		shorter = text;
		text = memory_format("%s%s%s", shorter, a == found ? "" : ",", address);
		free(shorter);
	}
	c->addresses = curl_slist_append(NULL, text);
	free(text);
	freeaddrinfo(found);
	return 0;
}

static int
check_url(struct client *c, struct error *e)
{
	char *host = NULL, *port = NULL, *scheme = NULL;
	CURLU *url = curl_url();
	int status;

	if (curl_url_set(url, CURLUPART_URL, c->options.url, 0) != CURLUE_OK ||
	    curl_url_get(url, CURLUPART_HOST, &host, 0) != CURLUE_OK ||
	    curl_url_get(url, CURLUPART_SCHEME, &scheme, 0) != CURLUE_OK ||
	    curl_url_get(url, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) != CURLUE_OK ||
	    (strcmp(scheme, "http") != 0 && strcmp(scheme, "https") != 0)) {
		status = error_add(e, EX_USAGE, NULL, 0, "'%s' will not do; expected a URL that begins with http:// or https://",
		    c->options.url);
	} else {
		status = c->options.unix_socket || *host == '[' ? 0 : find_addresses(c, host, port, e);
	}
	curl_free(host);
	curl_free(port);
	curl_free(scheme);
	curl_url_cleanup(url);
	return status;
}

/* What all requests have in common; set once. */
static void
set_up_method(const struct client_options *o, CURL *easy)
{
	if (o->has_body)
		curl_easy_setopt(easy, CURLOPT_POST, 1L);
	if (o->method && strcmp(o->method, "HEAD") == 0)
		curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
	else if (o->method && strcmp(o->method, o->has_body ? "POST" : "GET") != 0)
		curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, o->method);
}

static void
set_up_callbacks(struct slot *s)
{
	CURL *easy = s->easy;

	curl_easy_setopt(easy, CURLOPT_PRIVATE, s);
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, s->text);
	curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
	curl_easy_setopt(easy, CURLOPT_HEADERDATA, s);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, s);
	curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
	curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, s);
	curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
	curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, s->client);
}

/* Versions before 8.1 break off what comes second on a connection of HTTP/2 without TLS. */
static bool
is_single_use(const struct client_options *o)
{
	return o->version == CLIENT_HTTP_2_PRIOR_KNOWLEDGE && curl_version_info(CURLVERSION_NOW)->version_num < 0x080100;
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
	if (is_single_use(&c->options))
		curl_multi_setopt(lane->multi, CURLMOPT_PIPELINING, CURLPIPE_NOTHING);
	c->lanes = memory_resize(c->lanes, c->num_lanes + 1, sizeof *c->lanes);
	return c->lanes[c->num_lanes++] = lane;
}

static struct slot *
make_slot(struct client *c)
{
	static const long versions[] = { CURL_HTTP_VERSION_1_1, CURL_HTTP_VERSION_2_0, CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE };
	const struct client_options *o = &c->options;
	struct slot *s = memory_alloc(1, sizeof *s);

	s->client = c;
	s->lane = c->num_slots % c->lane_size == 0 ? make_lane(c) : c->lanes[c->num_lanes - 1];
	s->easy = curl_easy_init();
	if (!s->easy)
		memory_exhausted();
	curl_easy_setopt(s->easy, CURLOPT_URL, o->url);
	curl_easy_setopt(s->easy, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(s->easy, CURLOPT_PROXY, "");
	curl_easy_setopt(s->easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(s->easy, CURLOPT_HTTP_VERSION, versions[o->version]);
	curl_easy_setopt(s->easy, CURLOPT_HTTPHEADER, c->headers);
	curl_easy_setopt(s->easy, CURLOPT_RESOLVE, c->addresses);
	curl_easy_setopt(s->easy, CURLOPT_UNIX_SOCKET_PATH, o->unix_socket);
	curl_easy_setopt(s->easy, CURLOPT_CONNECTTIMEOUT_MS, (long)(o->timeout * 1e3) + 1000);
	if (is_single_use(o))
		curl_easy_setopt(s->easy, CURLOPT_FORBID_REUSE, 1L);
	else if (o->version != CLIENT_HTTP_1_1)
		curl_easy_setopt(s->easy, CURLOPT_PIPEWAIT, 1L);
	if (o->ca_file)
		curl_easy_setopt(s->easy, CURLOPT_CAINFO, o->ca_file);
	if (o->is_insecure) {
		curl_easy_setopt(s->easy, CURLOPT_SSL_VERIFYPEER, 0L);
		curl_easy_setopt(s->easy, CURLOPT_SSL_VERIFYHOST, 0L);
	}
	set_up_method(o, s->easy);
	set_up_callbacks(s);
	c->num_slots++;
	return s;
}

static void
free_slots(struct slot *s)
{
	struct slot *next;

	for (; s; s = next) {
		next = s->next;
		curl_multi_remove_handle(s->lane->multi, s->easy);
		curl_easy_cleanup(s->easy);
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
	c->lane_size = o->version == CLIENT_HTTP_1_1 ? CLIENT_GROUP : o->max_in_flight;
	c->epoll = -1;
	if (check_url(c, e) < 0) {
		client_free(c);
		return NULL;
	}
	c->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (c->epoll < 0)
		memory_exhausted();
	c->headers = curl_slist_append(NULL, "Expect:");
	for (char **header = o->headers; *header; header++)
		c->headers = curl_slist_append(c->headers, *header);
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
	free_slots(c->oldest);
	free_slots(c->finished);
	free_slots(c->unused);
	for (size_t i = 0; i < c->num_lanes; i++) {
		curl_multi_cleanup(c->lanes[i]->multi);
		free(c->lanes[i]);
	}
	free(c->lanes);
	curl_slist_free_all(c->headers);
	curl_slist_free_all(c->addresses);
	if (c->epoll >= 0)
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

/* Takes S from the list of those under way and from libcurl, and puts it to the finished ones. */
static void
finish(struct slot *s)
{
	struct client *c = s->client;

	curl_multi_remove_handle(s->lane->multi, s->easy);
	*(s->previous ? &s->previous->next : &c->oldest) = s->next;
	*(s->next ? &s->next->previous : &c->newest) = s->previous;
	s->next = NULL;
	*(c->finished ? &c->last_finished->next : &c->finished) = s;
	c->last_finished = s;
	c->in_flight--;
}

static bool
is_scarcity(int number)
{
	return number == EMFILE || number == ENFILE || number == ENOBUFS || number == ENOMEM || number == EADDRNOTAVAIL;
}

static void
say(struct slot *s, const char *text, const char *more)
{
	char *to = s->exchange.error;

	snprintf(to, CLIENT_TEXT_MAX, "%s%s%s", text, *more ? ": " : "", more);
	for (; *to; to++)
		if ((unsigned char)*to < ' ' || *to == 0x7f)
			*to = ' ';
}

/* Why libcurl gave up, in words that are the same for the same cause. */
static void
say_code(struct slot *s, CURLcode code)
{
	long number = s->socket_errno;

	if (!number)
		curl_easy_getinfo(s->easy, CURLINFO_OS_ERRNO, &number);
	if (s->fault)
		say(s, s->fault, s->exchange.stream.fault ? s->exchange.stream.chunk.message : "");
	else if (code == CURLE_COULDNT_CONNECT)
		say(s, "cannot connect", number ? strerror((int)number) : "");
	else if (code == CURLE_GOT_NOTHING)
		say(s, "closed without an answer", "");
	else if (code == CURLE_PARTIAL_FILE)
		say(s, "answer cut off", "");
	else if (code == CURLE_OUT_OF_MEMORY) /* what libcurl says of both */
		say(s, "header line too long or out of memory", "");
	else if (code == CURLE_HTTP2_STREAM)
		say(s, "HTTP/2 stream failed", "");
	else
		say(s, *s->text ? s->text : curl_easy_strerror(code), "");
	s->exchange.is_own_fault = code == CURLE_COULDNT_CONNECT && is_scarcity((int)number);
}

static void
judge(struct slot *s, CURLcode code)
{
	struct exchange *x = &s->exchange;
	curl_off_t sent = 0;

	x->end = clock_now();
	curl_easy_getinfo(s->easy, CURLINFO_RESPONSE_CODE, &x->status);
	curl_easy_getinfo(s->easy, CURLINFO_PRETRANSFER_TIME_T, &sent);
	x->sent = sent > 0 ? fmax(x->handed, x->sent + (double)sent / 1e6) : 0;
	if (code != CURLE_OK) {
		say_code(s, code);
	} else if (x->status < 200 || x->status > 299) {
		snprintf(x->error, sizeof x->error, "HTTP status %ld", x->status);
	} else if (s->client->options.is_stream) {
		stream_end(&x->stream, x->end);
		if (x->stream.fault)
			say(s, x->stream.fault, x->stream.chunk.message);
	}
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
		judge(s, message->data.result);
		finish(s);
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
client_start(struct client *c, struct exchange *x)
{
	struct slot *s = (struct slot *)x;

	s->header_bytes = 0;
	s->socket_errno = 0;
	s->fault = NULL;
	s->text[0] = x->error[0] = '\0';
	x->first_byte = x->end = 0;
	x->status = 0;
	x->is_own_fault = false;
	stream_start(&x->stream);
	if (c->options.has_body) {
		curl_easy_setopt(s->easy, CURLOPT_POSTFIELDS, x->body ? x->body : x->own_body.bytes);
		curl_easy_setopt(s->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)(x->body ? x->body_size : x->own_body.size));
	}
	s->previous = c->newest;
	s->next = NULL;
	*(c->newest ? &c->newest->next : &c->oldest) = s;
	c->newest = s;
	if (++c->in_flight > c->max_in_flight)
		c->max_in_flight = c->in_flight;
	x->sent = x->handed = clock_now();
	curl_multi_add_handle(s->lane->multi, s->easy);
	run_timer(s->lane);
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
		finish(s);
	}
}

/* What came on a socket that is watched: on from there, or not watched any longer. */
static void
take_event(struct client *c, const struct epoll_event *event)
{
	int fd = event->data.fd, what = 0;
	struct watch *w = watch_of(c, fd);

	if (event->events & EPOLLIN)
		what |= CURL_CSELECT_IN;
	if (event->events & EPOLLOUT)
		what |= CURL_CSELECT_OUT;
	if (event->events & (EPOLLERR | EPOLLHUP))
		what |= CURL_CSELECT_ERR;
	if (w->wanted)
		act(w->lane, fd, what);
	else
		set_watch(c, fd, w, 0);
}

void
client_wait(struct client *c, double until)
{
	struct epoll_event events[EVENTS];
	struct timespec wait;
	double seconds, now = clock_now();
	int count;

	for (size_t i = 0; i < c->num_lanes; i++)
		until = fmin(until, c->lanes[i]->timer);
	if (c->oldest && c->oldest->exchange.due + c->options.timeout < until)
		until = c->oldest->exchange.due + c->options.timeout;
	seconds = c->finished || until <= now ? 0 : fmin(until - now, 3600);
	wait.tv_sec = (time_t)seconds;
	wait.tv_nsec = (long)((seconds - (double)wait.tv_sec) * 1e9);
	count = epoll_pwait2(c->epoll, events, EVENTS, &wait, NULL);
	for (int i = 0; i < count; i++)
		take_event(c, &events[i]);
	now = clock_now();
	for (size_t i = 0; i < c->num_lanes; i++)
		if (c->lanes[i]->timer <= now)
			run_timer(c->lanes[i]);
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
