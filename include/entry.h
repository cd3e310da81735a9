/*
 * Entries: the members of a config's mappings, checked one by one. WHERE, in front of the key in
 * messages, is "" or ends in ": ". A key that is missing or null leaves the value as it is, and is no fault.
 */
#ifndef ENTRY_H
#define ENTRY_H

#include <stdbool.h>
#include <stddef.h>

#include "fault.h"
#include "node.h"

/* What numbers will do, and how messages say it: "a whole number from 1". */
struct entry_range {
	double low, high;
	bool is_above_low; /* LOW itself will not do */
	const char *expected;
};

/* Adds the fault "KEY is FOUND; expected EXPECTED" at the value's line; none for NODE_FAULTY. Returns -1. */
int entry_fault(const struct node *value, const char *where, const char *key, const char *expected, struct faults *faults);

/*
 * A fault for each key of MAP that is not in KNOWN, with the nearest that is; those in LATER (NULL:
 * none) will have a meaning in a later version. Both lists end in NULL.
 */
void entry_check_keys(const struct node *map, const char *where, const char *const *known, const char *const *later,
    struct faults *faults);

/* The value of KEY, or NULL after a fault: it is missing or null; and of a KEY that may be so, a mapping. */
const struct node *entry_required(const struct node *map, const char *where, const char *key, const char *expected,
    struct faults *faults);
const struct node *entry_map(const struct node *map, const char *where, const char *key, struct faults *faults);

/* Numbers in RANGE. Return 0 or -1. */
int entry_number(const struct node *map, const char *where, const char *key, const struct entry_range *range,
    struct faults *faults, double *value);
int entry_integer(const struct node *map, const char *where, const char *key, const struct entry_range *range,
    struct faults *faults, long *value);

/* A rate, and a list of rates that is not empty (to be freed), in requests per second, rounded. Return 0 or -1. */
int entry_rate(const struct node *map, const char *where, const char *key, struct faults *faults, double *qps);
int entry_rates(const struct node *map, const char *where, const char *key, struct faults *faults, double **rates,
    size_t *count);

#endif
