/* The setting search.early_stop: which trials are ended as soon as their verdict is known. */
#ifndef EARLY_STOP_H
#define EARLY_STOP_H

#include "fault.h"
#include "node.h"

struct json_object;

enum early_stop { EARLY_STOP_OFF, EARLY_STOP_FAIL /* those that fail */, EARLY_STOP_BOTH /* and those that pass */ };

/* The member early_stop of the config's mapping SEARCH (NULL: none): fail, both, true (both) or false. EARLY_STOP_OFF after a fault. */
enum early_stop early_stop_from_node(const struct node *search, struct faults *faults);

/* The member early_stop of job.json's SEARCH, and its text there: NULL where it is off, and the member missing. */
enum early_stop early_stop_from_json(struct json_object *search);
const char *early_stop_text(enum early_stop stop);

#endif
