/* A picture of the processes that run, from /proc, with ours marked; out of date as soon as it is taken. */
#ifndef CENSUS_H
#define CENSUS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct census_entry {
	pid_t pid, parent, group;
	bool ours;
};

struct census {
	struct census_entry *list; /* by pid; zombies are not in it */
	size_t count;
};

/*
 * Takes a picture. Ours are the processes that descend from ROOT (0: none; not ROOT itself), those that were started with
 * NAME=MARK in their environment (MARK NULL: none), and what descends from such; never the caller.
 */
struct census census_take(pid_t root, const char *name, const char *mark);
void census_free(struct census *census);

/* The entry of PID, or NULL. */
struct census_entry *census_find(const struct census *census, pid_t pid);

/* Whether ENTRY is the first of ours in its group, and whether all that the census has of the group are ours. */
bool census_is_first_of_group(const struct census *census, const struct census_entry *entry);
bool census_owns_group(const struct census *census, const struct census_entry *entry);

/* Whether SIGNAL would end PID: it does not catch, ignore or block it. */
bool census_would_end(pid_t pid, int signal);

/* PID for messages: "process 12 (sleep 300)", with its command line as far as we may see it (to be freed). */
char *census_describe(pid_t pid);

#endif
