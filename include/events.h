/* The events of a YAML text, as libyaml has them: where collections begin and end, scalars, aliases. */
#ifndef EVENTS_H
#define EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <yaml.h>

#include "fault.h"

struct events {
	yaml_parser_t parser;
	const char *bytes;
	size_t size;
	struct faults *faults;
};

/* Begins to read SIZE BYTES, which have to live as long; faults go to FAULTS. */
void events_init(struct events *events, const char *bytes, size_t size, struct faults *faults);
void events_free(struct events *events);

/* The next one, to be yaml_event_delete(). False, after a fault, where the text is not YAML, and when no more faults are taken. */
bool events_next(struct events *events, yaml_event_t *event);

/* The line on which it begins. */
long events_line(const yaml_event_t *event);

#endif
