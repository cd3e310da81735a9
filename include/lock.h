/*
 * Lock files. The kernel keeps the lock (flock) for as long as any process has the descriptor, and
 * frees it when the last of them ends, however it ends. The file's text says what the lock was last
 * used for: the mark of the processes that may still be running (see process.h) while they are, nothing otherwise.
 * A file that has text when the lock is free was left by a holder that was killed.
 */
#ifndef LOCK_H
#define LOCK_H

#include <stdbool.h>

#include "error.h"

enum { LOCK_MARK_LENGTH = 32, LOCK_MARK_MAX = LOCK_MARK_LENGTH + 1 };

/*
 * Opens the lock file PATH, made where it is missing, and locks it. Returns the descriptor (closed on
 * exec, never followed through a link), or -1: with EX_CANTCREAT or EX_IOERR in E, or with
 * E empty if another process holds the lock.
 */
int lock_try(const char *path, struct error *e);

/* Whether a process holds the lock file PATH: not if there is none. */
bool lock_is_held(const char *path);

/* Returns once no process holds the lock file PATH; at once if there is none. */
void lock_await(const char *path);

/* Writes MARK into the locked file. EX_IOERR. Returns 0 or -1. */
int lock_set_mark(int lock, const char *path, const char *mark, struct error *e);

/* Empties the file. */
int lock_clear_mark(int lock);

/*
 * Whether PATH has text in it (not if it is missing). MARK becomes what it says if that is a mark,
 * LOCK_MARK_LENGTH hexadecimal digits, else "".
 */
bool lock_has_mark(const char *path, char mark[LOCK_MARK_MAX]);

/* A new mark, random. */
void lock_new_mark(char mark[LOCK_MARK_MAX]);

#endif
