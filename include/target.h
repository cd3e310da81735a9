/* The target of requests: what a URL says of where they go, and the addresses there. */
#ifndef TARGET_H
#define TARGET_H

#include <netdb.h>
#include <stdbool.h>

#include "error.h"

struct target {
	char *host, *port;          /* [ADDRESS] for IPv6; the scheme's port where the URL has none */
	char *name;                 /* HOST or HOST:PORT, as the URL has it */
	char *path;                 /* with the query */
	bool is_tls, has_user;      /* https; the URL holds a user's name */
	struct addrinfo *addresses; /* NULL: not looked up */
	bool is_local;              /* the one address is a Unix socket */
};

/* Reads URL; EX_USAGE if it is none of http or https. Returns 0 or -1; target_free() in any case. */
int target_read(const char *url, struct target *target, struct error *e);

/* Looks the host up. EX_UNAVAILABLE if it has no address. Returns 0 or -1. */
int target_find(struct target *target, struct error *e);

/* Sets the Unix socket at PATH, which is shorter than sockets have it, in the place of the host's addresses. */
void target_set_socket(struct target *target, const char *path);

/* HOST:PORT:ADDRESS,ADDRESS... as CURLOPT_RESOLVE takes it (to be freed); NULL: there is nothing to say of a Unix socket or an address in brackets. */
char *target_resolution(const struct target *target);

void target_free(struct target *target);

#endif
