/* Locks (resource.h) that one trial holds or is to take, and what they mark its processes with. */
#ifndef LOCKSET_H
#define LOCKSET_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

struct lockset_lock {
	char *name;
	int lock, mark; /* descriptors; -1: not held */
};

struct lockset { /* zeroed: empty */
	struct lockset_lock *list;
	size_t num;
};

/* Adds the lock NAME; LOCK is the descriptor that holds it, taken over, or -1. */
void lockset_add(struct lockset *locks, const char *name, int lock);

bool lockset_has(const struct lockset *locks, const char *name);

/* Gives back the last COUNT locks, which are held. */
void lockset_drop(struct lockset *locks, size_t count);

/*
 * Ends what killed holders of the locks, which are files in DIRECTORY, left running, and puts MARK in their place.
 * EX_CANTCREAT, EX_IOERR. Returns 0 or -1.
 */
int lockset_mark(struct lockset *locks, int directory, const char *mark, struct error *e);
void lockset_clear_marks(const struct lockset *locks);

/* The descriptors that keep the locks, and their number (to be freed). */
int *lockset_descriptors(const struct lockset *locks, size_t *num);

/* Closes the descriptors: the locks are free if no other process has them. */
void lockset_free(struct lockset *locks);

#endif
