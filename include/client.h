/*
 * An HTTP client that has many requests on their way at a time, in one thread: exchanges are handed to it when they are
 * due, and come back when they have an answer, or have failed. Connections are kept and used again.
 *
 * An exchange is successful if the whole of an answer with a status from 200 to 299 came within the
 * time-out, counted from when it was due; of a stream also no error event, and an end (see stream.h). Memory is
 * bounded whatever servers send: bodies are not kept, headers are CLIENT_HEADERS_MAX bytes in all.
 * An exchange on a kept connection that the server closed without a byte of an answer is sent once more, as HTTP/1.1
 * would have it.
 */
#ifndef CLIENT_H
#define CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "headers.h"
#include "payload.h"
#include "stream.h"

enum { CLIENT_HEADERS_MAX = 1 << 18, CLIENT_TEXT_MAX = 200 };
enum { CLIENT_CONNECTIONS_MAX = 60000 };

enum client_version { CLIENT_HTTP_1_1, CLIENT_HTTP_2, CLIENT_HTTP_2_PRIOR_KNOWLEDGE };

struct client_options {
	const char *url, *method;  /* method NULL: GET, or POST with a body */
	struct headers headers;    /* the caller's, as the texts above */
	const char *unix_socket, *ca_file; /* may be NULL */
	bool is_insecure, has_body, is_stream;
	enum client_version version;
	double timeout;            /* seconds from when a request was due */
	long max_in_flight;        /* requests at a time, each with a connection of its own but for HTTP/2 */
};

struct exchange {
	uint64_t id;
	double due;                /* these three are the caller's to set; clock_now() */
	const char *body;          /* NULL: what own_body holds */
	size_t body_size;
	struct payload_body own_body;

	double handed, sent;       /* when the network had it: as the client was called, and the first byte; 0: never */
	double first_byte, end;    /* of the answer; 0: none */
	long status;               /* 0: none came */
	bool is_own_fault;         /* it failed for want of files or ports here */
	char error[CLIENT_TEXT_MAX]; /* "": success */
	struct stream stream;      /* if the client has is_stream */
};

struct client;

/* How many connections the process may have by the files that it may open. Lets it open as many as the system gives it. */
long client_most_connections(void);

/* EX_UNAVAILABLE if the host has no address; EX_USAGE for a URL that is none. NULL then. */
struct client *client_new(const struct client_options *options, struct error *e);
void client_free(struct client *client);

/* An exchange to fill in and start; NULL while max_in_flight are under way. */
struct exchange *client_take(struct client *client);

/* Hands it to the network. Exchanges are started in the order in which they are due. */
void client_start(struct client *client, struct exchange *exchange);

/* Waits until something happens, or until UNTIL (clock_now()), and deals with it. */
void client_wait(struct client *client, double until);

/* The next exchange that came to an end, to be given back; NULL: none now. */
struct exchange *client_finished(struct client *client);
void client_give_back(struct client *client, struct exchange *exchange);

/* Exchanges under way now and at the most, and connections made. */
long client_in_flight(const struct client *client);
long client_max_in_flight(const struct client *client);
uint64_t client_connections(const struct client *client);

#endif
