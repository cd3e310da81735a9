/*
 * What the parts of the client (client.h) share: client.c keeps the exchanges and waits, lanes.c sends them through
 * libcurl, wire.c those that are plain HTTP/1.1 without TLS, for which libcurl takes twice the time.
 */
#ifndef SLOT_H
#define SLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "answer.h"
#include "client.h"
#include "target.h"

enum { SLOT_GROUP = 64, SLOT_GROUP_FILES = 3 }; /* libcurl has so many files open besides for so many slots */

struct curl_slist;
struct lane;
struct wire;

/* An exchange with what it takes to send it, used again and again. */
struct slot {
	struct exchange exchange; /* first: a pointer to one is a pointer to the other */
	struct client *client;
	struct slot *previous, *next; /* in one of the client's lists */
	const char *fault;            /* why we broke it off; NULL: we did not */
	bool is_again;                /* it was sent before, on a connection that was closed */

	/* lanes.c, and handle.c for it */
	struct lane *lane;
	void *easy;
	size_t header_bytes;
	int socket_errno;             /* of a socket that could not be made */
	char text[256];               /* what libcurl has to say */

	/* wire.c */
	struct wire *wire;
	struct answer answer;
	char length[48];              /* the end of the headers */
	size_t length_size;
};

/* What is watched of a socket, for one of the two. */
struct watch {
	struct lane *lane;
	struct wire *wire;
	unsigned char watched, wanted; /* by epoll, and by libcurl */
};

struct client {
	struct client_options options;
	struct target target;
	bool is_plain;                /* for wire.c */
	int epoll;
	struct watch *watches;        /* by descriptor */
	size_t num_watches;
	struct slot *unused;          /* singly linked */
	struct slot *oldest, *newest; /* under way, in the order of their starts */
	struct slot *finished, *last_finished;
	long in_flight, max_in_flight, num_slots;
	uint64_t connections;

	/* lanes.c */
	struct lane **lanes;
	size_t num_lanes;
	long lane_size;
	struct curl_slist *headers, *names;

	/* wire.c */
	char *head;                   /* of every request, but for its end */
	size_t head_size;
	char *buffer;                 /* for what is received */
	struct wire *idle;            /* connections, the one used last first */
};

/* The watch of FD, which stays where it is until the next call. */
struct watch *client_watch(struct client *client, int fd);

/* Sets the exchange's error to TEXT, with MORE (may be "") behind it. */
void slot_fail(struct slot *slot, const char *text, const char *more);

/* Whether ERRNO says that we are short of something, rather than the server. */
bool slot_is_scarcity(int number);

/* The whole of an answer came: looks at its status, and at the end of its stream. */
void slot_judge(struct slot *slot);

/* Hands the slot, which is no longer on its way, to client_finished(). */
void slot_finish(struct slot *slot);

/* Both parts: before the first slot; for each slot; at the end of the client. */
void lanes_init(struct client *client);
void lanes_add(struct client *client, struct slot *slot);
void lanes_remove(struct slot *slot);
void lanes_free(struct client *client);

/* Sends an exchange; breaks it off; deals with what came on a socket. */
void lanes_start(struct slot *slot);
void lanes_stop(struct slot *slot);
void lanes_take(struct client *client, int fd, struct watch *watch, unsigned events);

/* When libcurl wants to be called next (clock_now()), and does so when it is NOW. */
double lanes_timer(const struct client *client);
void lanes_run_timers(struct client *client, double now);

void wire_init(struct client *client);
void wire_free(struct client *client);
void wire_start(struct slot *slot);
void wire_stop(struct slot *slot);
void wire_take(struct wire *wire, unsigned events);

#endif
