/*
 * libcurl's handle of a slot: it sends one exchange after another. What all requests have in common is set once; the
 * lanes (slot.h) move it along.
 */
#ifndef HANDLE_H
#define HANDLE_H

#include <curl/curl.h>
#include <stdbool.h>

#include "slot.h"

/* Makes the slot's handle, and frees it. */
void handle_make(struct slot *slot);
void handle_free(struct slot *slot);

/* Makes it ready for the exchange that the slot has now. */
void handle_prepare(struct slot *slot);

/* Whether an exchange that ended with CODE has to be sent once more; the handle is ready for that then. */
bool handle_is_again(struct slot *slot, CURLcode code);

/* Sets how and when the exchange ended. */
void handle_judge(struct slot *slot, CURLcode code);

/* Whether a connection serves one exchange only: versions before 8.1 break off what comes second on one of HTTP/2 without TLS. */
bool handle_is_single_use(const struct client_options *options);

#endif
