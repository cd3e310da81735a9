/* Connecting to a server that has several addresses: one after another, without waiting for any. */
#ifndef DIAL_H
#define DIAL_H

#include <netdb.h>
#include <stdbool.h>

/*
 * Begins to connect to *ADDRESS or, where that fails at once, to the ones after it; *ADDRESS is the one that it came to.
 * Returns the socket, which can be written to once it is connected, or connecting failed; or -1, and errno says why the last one failed.
 */
int dial_start(const struct addrinfo **address, bool *is_connected);

/* Why connecting the socket FD failed, as errno has it; 0: it did not. */
int dial_error(int fd);

#endif
