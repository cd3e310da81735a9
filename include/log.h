/* What a harness printed. */
#ifndef LOG_H
#define LOG_H

#include <stddef.h>

#include "error.h"

/* Renames DIRECTORY/benchmark.log to benchmark.log.1, and opens a new one for appending. Returns its descriptor or -1. */
int log_open(const char *directory, struct error *e);

/*
 * The last lines of DIRECTORY/benchmark.log that are not blank, five at the most and some hundred bytes, " | "
 * between them, as printable UTF-8; "" if there are none (to be freed).
 */
char *log_tail(const char *directory);

/* SIZE bytes as UTF-8 on one line: the terminal's control sequences dropped, other controls blanks (to be freed). */
char *log_printable(const char *bytes, size_t size);

#endif
