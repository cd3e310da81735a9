#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "clock.h"
#include "dial.h"
#include "installation.h"
#include "memory.h"
#include "slot.h"

enum { BUFFER_SIZE = 1 << 16 };

/* A connection: idle, or with one exchange under way. */
struct wire {
	struct client *client;
	int fd;
	const struct addrinfo *address; /* that it goes to */
	struct slot *slot;            /* NULL: idle */
	struct wire *previous, *next; /* while it is idle */
	bool is_connected, is_used;   /* it had an exchange before */
	bool waits_to_write;
	size_t written;               /* bytes of the request */
};

void
wire_init(struct client *c)
{
	const struct client_options *o = &c->options;
	const char *method = o->method ? o->method : o->has_body ? "POST" : "GET";
	FILE *head = open_memstream(&c->head, &c->head_size);

	if (!head)
		memory_exhausted();
	fprintf(head, "%s %s HTTP/1.1\r\n", method, c->target.path);
	if (!headers_have(&o->headers, "Host"))
		fprintf(head, "Host: %s\r\n", c->target.name);
	if (!headers_have(&o->headers, "User-Agent"))
		fprintf(head, "User-Agent: cs-load/%s\r\n", INSTALLATION_VERSION);
	if (!headers_have(&o->headers, "Accept"))
		fputs("Accept: */*\r\n", head);
	for (size_t i = 0; i < o->headers.count; i++)
		fprintf(head, "%s\r\n", o->headers.list[i]);
	if (fclose(head) != 0)
		memory_exhausted();
	c->buffer = memory_alloc(BUFFER_SIZE, 1);
}

static void
close_wire(struct wire *w)
{
	*client_watch(w->client, w->fd) = (struct watch){ 0 };
	close(w->fd);
	free(w);
}

void
wire_free(struct client *c)
{
	struct wire *next;

	for (struct wire *w = c->idle; w; w = next) {
		next = w->next;
		close_wire(w);
	}
	free(c->head);
	free(c->buffer);
}

/* Ends the exchange with the error. */
static void
fail(struct slot *s, const char *text, const char *more)
{
	s->exchange.end = clock_now();
	s->exchange.status = s->answer.status;
	slot_fail(s, text, more);
	if (s->wire)
		close_wire(s->wire);
	s->wire = NULL;
	slot_finish(s);
}

static void
set_events(struct wire *w, int operation, bool waits_to_write)
{
	struct epoll_event event = { .events = waits_to_write ? EPOLLIN | EPOLLOUT : EPOLLIN, .data.fd = w->fd };

	epoll_ctl(w->client->epoll, operation, w->fd, &event);
	w->waits_to_write = waits_to_write;
}

/* Sends what the socket takes of the request. False when it is broken; errno says why. */
static bool
write_request(struct wire *w)
{
	const struct client *c = w->client;
	struct slot *s = w->slot;
	const struct exchange *x = &s->exchange;
	struct iovec parts[3] = { { c->head, c->head_size }, { s->length, s->length_size },
		{ c->options.has_body ? x->body ? (char *)x->body : x->own_body.bytes : NULL,
		c->options.has_body ? x->body ? x->body_size : x->own_body.size : 0 } };
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = c->options.has_body ? 3 : 2 };
	size_t skip = w->written, left = 0;
	ssize_t n;

	for (size_t i = 0; i < 3; i++) {
		size_t gone = skip < parts[i].iov_len ? skip : parts[i].iov_len;

		parts[i].iov_base = (char *)parts[i].iov_base + gone;
		parts[i].iov_len -= gone;
		skip -= gone;
		left += parts[i].iov_len;
	}
	n = sendmsg(w->fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		return false;
	if (n > 0)
		w->written += (size_t)n;
	left -= n > 0 ? (size_t)n : 0;
	if (w->waits_to_write != (left > 0))
		set_events(w, EPOLL_CTL_MOD, left > 0);
	return true;
}

/* Begins to connect to W's address or to one after it. False when all failed at once; errno says why. */
static bool
connect_wire(struct wire *w)
{
	int fd = dial_start(&w->address, &w->is_connected);

	if (fd < 0)
		return false;
	w->fd = fd;
	client_watch(w->client, fd)->wire = w;
	set_events(w, EPOLL_CTL_ADD, !w->is_connected);
	w->client->connections++;
	return true;
}

static void
fail_connect(struct slot *s)
{
	s->exchange.is_own_fault = slot_is_scarcity(errno);
	fail(s, "cannot connect", strerror(errno));
}

/* Sends S on a connection of its own. */
static void
start_anew(struct slot *s)
{
	struct wire *w = memory_alloc(1, sizeof *w);

	w->client = s->client;
	w->address = s->client->target.addresses;
	w->slot = s;
	if (!connect_wire(w)) {
		free(w);
		fail_connect(s);
		return;
	}
	s->wire = w;
	if (w->is_connected && !write_request(w))
		fail(s, "Send failure", strerror(errno));
}

static void
start_answer(const struct client *c, struct slot *s)
{
	answer_start(&s->answer, c->options.method && strcmp(c->options.method, "HEAD") == 0);
}

/* The connection broke. One that was kept may have been closed just before we used it: once more, on a new one. */
static void
lose(struct wire *w, const char *text, const char *more)
{
	struct client *c = w->client;
	struct slot *s = w->slot;

	if (!w->is_used || s->answer.has_bytes || s->is_again) {
		fail(s, text, more);
		return;
	}
	close_wire(w);
	s->wire = NULL;
	s->is_again = true;
	start_answer(c, s);
	start_anew(s);
}

void
wire_start(struct slot *s)
{
	struct client *c = s->client;
	const struct exchange *x = &s->exchange;
	struct wire *w = c->idle;

	start_answer(c, s);
	s->is_again = false;
	s->wire = NULL;
	s->length_size = (size_t)(c->options.has_body ? snprintf(s->length, sizeof s->length, "Content-Length: %zu\r\n\r\n",
	    x->body ? x->body_size : x->own_body.size) : snprintf(s->length, sizeof s->length, "\r\n"));
	if (!w) {
		start_anew(s);
		return;
	}
	c->idle = w->next;
	if (c->idle)
		c->idle->previous = NULL;
	w->slot = s;
	w->written = 0;
	s->wire = w;
	if (!write_request(w))
		lose(w, "Send failure", strerror(errno));
}

void
wire_stop(struct slot *s)
{
	if (s->wire)
		close_wire(s->wire);
	s->wire = NULL;
	s->exchange.status = s->answer.status;
}

/* The answer is whole. The connection is kept if nothing came behind it. */
static void
complete(struct wire *w, bool is_clean)
{
	struct client *c = w->client;
	struct slot *s = w->slot;

	s->exchange.end = clock_now();
	s->exchange.status = s->answer.status;
	s->wire = NULL;
	if (is_clean && s->answer.is_kept && !w->waits_to_write) {
		w->slot = NULL;
		w->is_used = true;
		w->previous = NULL;
		w->next = c->idle;
		if (c->idle)
			c->idle->previous = w;
		c->idle = w;
	} else {
		close_wire(w);
	}
	slot_judge(s);
	slot_finish(s);
}

/* Reads what came of the answer at BYTES. */
static void
take_bytes(struct wire *w, const char *bytes, size_t count)
{
	struct slot *s = w->slot;
	struct exchange *x = &s->exchange;
	const char *end = bytes + count, *body;
	double now = clock_now();
	size_t size;

	while (bytes < end && !s->answer.is_done && !s->answer.fault) {
		bytes = answer_read(&s->answer, bytes, end, &body, &size);
		if (x->first_byte == 0 && s->answer.status > 0)
			x->first_byte = now;
		if (size > 0 && w->client->options.is_stream) {
			stream_read(&x->stream, body, size, now);
			if (x->stream.fault && s->answer.status >= 200 && s->answer.status < 300) {
				fail(s, x->stream.fault, x->stream.chunk.message);
				return;
			}
		}
	}
	if (s->answer.fault)
		fail(s, s->answer.fault, "");
	else if (s->answer.is_done)
		complete(w, bytes == end);
}

static void
receive(struct wire *w)
{
	struct slot *s = w->slot;
	ssize_t n = recv(w->fd, w->client->buffer, BUFFER_SIZE, MSG_DONTWAIT);

	if (n > 0) {
		take_bytes(w, w->client->buffer, (size_t)n);
	} else if (n < 0 && errno != EAGAIN && errno != EINTR) {
		lose(w, "Recv failure", strerror(errno));
	} else if (n == 0) {
		answer_end(&s->answer);
		if (s->answer.is_done)
			complete(w, false);
		else
			lose(w, s->answer.fault, "");
	}
}

/* The socket can be written to, or connecting failed. False: the exchange is over. */
static bool
end_connect(struct wire *w)
{
	struct slot *s = w->slot;
	int error = dial_error(w->fd);

	if (error == 0) {
		w->is_connected = true;
		s->exchange.sent = clock_now();
		return true;
	}
	*client_watch(w->client, w->fd) = (struct watch){ 0 };
	close(w->fd);
	w->address = w->address->ai_next;
	errno = error;
	if (!w->address || !connect_wire(w)) {
		free(w);
		s->wire = NULL;
		fail_connect(s);
	}
	return false;
}

void
wire_take(struct wire *w, unsigned events)
{
	if (!w->slot) { /* an idle connection ends, or says what nobody asked for */
		*(w->previous ? &w->previous->next : &w->client->idle) = w->next;
		if (w->next)
			w->next->previous = w->previous;
		close_wire(w);
		return;
	}
	if (!w->is_connected && (!(events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) || !end_connect(w)))
		return;
	if (w->waits_to_write && events & EPOLLOUT && !write_request(w)) {
		lose(w, "Send failure", strerror(errno));
		return;
	}
	if (events & (EPOLLIN | EPOLLERR | EPOLLHUP))
		receive(w);
}
