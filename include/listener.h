/* Who listens on which TCP port of this machine (of this network namespace), from /proc; a picture of one moment. */
#ifndef LISTENER_H
#define LISTENER_H

#include <stdbool.h>
#include <stddef.h>

struct listener {
	long port;
	long user;            /* the socket's */
	unsigned long inode;
};

struct listeners {
	struct listener *list;
	size_t num;
};

/* Takes the picture. */
void listeners_read(struct listeners *listeners);
void listeners_free(struct listeners *listeners);

/* One that listens on PORT, whatever the address; NULL: nobody does. */
const struct listener *listeners_find(const struct listeners *listeners, long port);

/* "process 12 (python3 -m http.server)", or what is known of a process that we may not look at (to be freed). */
char *listener_describe(const struct listener *listener);

#endif
