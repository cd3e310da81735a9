/*
 * Named locks of this machine, for all its users: gpu-0, port-20100, host, or any name. Each is a file NAME.lock in one
 * directory: CS_LOCK_DIR, or /run/lock/capacity-search, or, where not everybody may write to /run/lock,
 * /tmp/capacity-search.locks. The kernel holds the lock (flock) as long as a process has the descriptor.
 *
 * Nothing is ever written into the lock files, which others own: they are opened for reading. What a holder may have
 * left is in a file of its user's own, NAME.UID.mark: the mark (lock.h) of the trial that has the lock, empty when it
 * has ended as it should. So a holder who was killed is cleaned up after by the next one of the same user, and nobody can
 * have others' processes ended. Links are never followed.
 */
#ifndef RESOURCE_H
#define RESOURCE_H

#include <stdbool.h>
#include <sys/types.h>

#include "error.h"
#include "lock.h"

enum { RESOURCE_NAME_MAX = 200 };

/* Whether NAME will do: no slash or control character, not empty or too long, no point at its beginning. */
bool resource_is_name(const char *name);

/* The names of the locks of a GPU, by what programs here call it (see device.h), and of a port (to be freed). */
char *resource_of_gpu(const char *gpu);
char *resource_of_port(long port);

/* The port that the lock NAME is for; 0: none. */
long resource_port(const char *name);

/* Opens the directory of the locks, which is made if it is missing. EX_CANTCREAT. Returns a descriptor or -1. */
int resource_open_directory(struct error *e);

/*
 * Locks NAME. Returns the descriptor, closed on exec, or -1: with EX_CANTCREAT or EX_IOERR in E, or with E empty if
 * another holds the lock.
 */
int resource_try(int directory, const char *name, struct error *e);

/* Which process took the lock NAME, if it still lives and the kernel says so; else 0. */
pid_t resource_holder(int directory, const char *name);

/*
 * Opens the mark of the lock NAME, which the caller holds. LEFT becomes the mark of a holder of ours that did not end
 * as it should, or "". EX_CANTCREAT. Returns the descriptor, for lock_set_mark() and lock_clear_mark(), or -1.
 */
int resource_open_mark(int directory, const char *name, char left[LOCK_MARK_MAX], struct error *e);

#endif
