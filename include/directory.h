/* Directories: what is in them, and removing it. */
#ifndef DIRECTORY_H
#define DIRECTORY_H

#include <stdbool.h>

#include "error.h"

/*
 * Removes all that is in PATH, a directory, but the names in KEEP (ended by NULL), with what is below it.
 * Links are removed, never followed, and other file systems mounted below PATH are not entered: EX_CANTCREAT.
 */
int directory_clear(const char *path, const char *const *keep, struct error *e);

/* Whether PATH holds no other name than those in KEEP; false if it cannot be read. */
bool directory_holds_only(const char *path, const char *const *keep);

#endif
