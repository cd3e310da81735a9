/* What the terminal that people read on can show. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Columns of the terminal on FD: what COLUMNS says, else what it says itself, else 80; 0 if FD is no terminal. */
size_t terminal_width(int fd);

/* How many lines it shows above the one that the cursor stands in; 0 if FD is no terminal or does not say. */
size_t terminal_height(int fd);

/* Whether text may be more than ASCII, by the locale (which it sets: LC_CTYPE). */
bool terminal_is_utf8(void);

#endif
