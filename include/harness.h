/* A harness: the program that a trial runs, and how it is started. */
#ifndef HARNESS_H
#define HARNESS_H

#include <stddef.h>

#include "error.h"

struct job;

struct harness {
	char **argv;        /* ends with NULL */
	char **environment; /* NAME=VALUE, set over what is inherited; ends with NULL */
	size_t num_environment;
	char *directory;    /* where it runs; NULL: in the current one */
};

/* The harness of JOB: EX_UNAVAILABLE if it is a name for which there is no file. Returns 0 or -1. */
int harness_from_job(const struct job *job, struct harness *harness, struct error *e);

/* COMMAND, ended by NULL, run in the current directory with NUM_ENVIRONMENT times NAME=VALUE in its environment. */
void harness_from_command(char *const *command, char *const *environment, size_t num_environment,
    struct harness *harness);

/* Adds NAME=VALUE to what it finds in its environment. */
void harness_set_environment(struct harness *harness, const char *name, const char *value);
void harness_free(struct harness *harness);

/*
 * What it finds in its environment: none of make's variables, and the installation's programs first in PATH. The
 * texts are those of HARNESS and of this process, which have to stay; the list, ended by NULL, is to be freed. Made
 * before a fork, it costs the child nothing.
 */
char **harness_environment(const struct harness *harness);

/*
 * Becomes the harness, in a child that was forked for it: a session of its own that is killed with
 * the process PARENT, /dev/null as stdin, both output streams to the descriptor LOG, no other descriptor, no
 * signal blocked or ignored, ENVIRONMENT as above.
 * What keeps it from starting is written to LOG; then the exit status is 127 (not found) or 126.
 */
_Noreturn void harness_execute(const struct harness *harness, char **environment, int log, int parent);

#endif
