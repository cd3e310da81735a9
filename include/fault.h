/* The faults of one input file: all of them, each with its line, as long as a person would read on. */
#ifndef FAULT_H
#define FAULT_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

enum { FAULT_MAX = 1000, FAULT_QUOTE_MAX = 320 };

struct faults {
	const char *file;    /* as messages name it */
	int status;          /* exit status for them, of sysexits.h */
	size_t count;
	struct error *error; /* where they go */
};

/*
 * Adds the message FMT for LINE (0: of the whole file); after FAULT_MAX of them one that says so,
 * then none. Always returns -1.
 */
int fault_add(struct faults *faults, long line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Whether no more faults are taken, so that there is no point in looking for them. */
bool fault_is_full(const struct faults *faults);

/* TEXT from a file between quotes, for messages: cut when long, control characters escaped. Returns BUFFER. */
char *fault_quote(const char *text, char buffer[FAULT_QUOTE_MAX]);

#endif
