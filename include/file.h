/* Files: read whole, published whole. */
#ifndef FILE_H
#define FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "error.h"

#define FILE_STANDARD_INPUT "standard input" /* a path for file_read() that names descriptor 0, as in messages */

/* The bytes of PATH with a NUL behind them (to be freed) and their number. NULL with EX_NOINPUT or EX_IOERR. */
char *file_read(const char *path, size_t *size, struct error *e);

/*
 * Writes SIZE bytes to PATH by temporary name, fsync and rename, so that a reader sees the old file
 * or the new one. EX_CANTCREAT or EX_IOERR; then PATH is as it was and no temporary file is left.
 */
int file_publish(const char *path, const void *bytes, size_t size, struct error *e);

/* The same without fsync, for what is made again where a crash of the machine leaves it empty. */
int file_publish_fast(const char *path, const void *bytes, size_t size, struct error *e);

/* As file_publish(), with the mtime set before the rename: nobody sees the new bytes with another time, not after a crash either. */
int file_publish_at(const char *path, const void *bytes, size_t size, struct timespec mtime, struct error *e);

/* Whether PATH holds exactly these bytes. */
bool file_equals(const char *path, const void *bytes, size_t size);

/* Publishes only what differs from what is there: a file that says the same keeps its mtime. 1: written, 0: kept, -1. */
int file_update(const char *path, const void *bytes, size_t size, struct error *e);

/* The same for bytes and mtime; where only the mtime differs, it alone is set. 1: written, 0: same bytes, -1. */
int file_update_at(const char *path, const void *bytes, size_t size, struct timespec mtime, struct error *e);

/* Makes PATH and its missing parents, mode 0777 less the umask. EX_CANTCREAT. */
int file_make_directory(const char *path, struct error *e);

/* Cuts PATH down to its first SIZE bytes. EX_IOERR. */
int file_cut(const char *path, off_t size, struct error *e);

/* Removes PATH, which may be missing. EX_IOERR. */
int file_remove(const char *path, struct error *e);

/* The later of *LATEST and PATH's mtime goes to *LATEST; false if PATH is missing. */
bool file_latest_mtime(const char *path, struct timespec *latest);

/* Gives PATH this mtime. EX_IOERR. */
int file_set_mtime(const char *path, struct timespec mtime, struct error *e);

/* Makes PATH, which may be missing, older than all others, so that make remakes it whatever the clock did. EX_IOERR. */
int file_make_old(const char *path, struct error *e);

/* PATH as an absolute path, links resolved where it exists (to be freed). */
char *file_absolute(const char *path);

#endif
