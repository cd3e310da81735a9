/* The jobs of an output directory in the order of the config, as JOBS in its generated Makefile names them. */
#ifndef ROSTER_H
#define ROSTER_H

#include <stddef.h>

#include "error.h"

struct roster {
	char *output_dir;   /* as it was given, without slashes at its end */
	char **directories; /* NAME_KEY, below OUTPUT_DIR/jobs */
	size_t num;
};

/*
 * Reads OUTPUT_DIR/Makefile. EX_NOINPUT when there is none, EX_DATAERR when it names no jobs.
 * Returns 0 or -1; then nothing is to be freed.
 */
int roster_read(const char *output_dir, struct roster *roster, struct error *e);
void roster_free(struct roster *roster);

#endif
