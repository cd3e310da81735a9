/* What went wrong, in words a person can act on; the library fills it, programs print it. */
#ifndef ERROR_H
#define ERROR_H

#include <stdbool.h>

struct error {
	int status; /* exit status for it: one of sysexits.h, or one the program's page names; 0: no error */
	char *text; /* one message a line, each "FILE:LINE: what was found, what was expected" */
};

#define ERROR_NONE { 0, (char *)0 }

/*
 * Adds the message FMT to E, with FILE (NULL: none) and LINE (0: none) before it. The status of the
 * first message stays. Always returns -1, so that callers can say: return error_add(...).
 */
int error_add(struct error *e, int status, const char *file, long line, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/* The same for a failed system call on FILE: FMT, then what errno says. */
int error_add_errno(struct error *e, int status, const char *file, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Whether a message was added. */
bool error_is_set(const struct error *e);

/* Frees the text and makes E empty again. */
void error_clear(struct error *e);

#endif
