/*
 * What one trial says to the search: the members of trial_result.json, or of a line on cs-next's
 * stdin, that decide which rate comes next.
 */
#ifndef VERDICT_H
#define VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

struct json_object;

enum verdict_passed { VERDICT_FAILED = 0, VERDICT_PASSED = 1, VERDICT_NONE = 2 /* null: nothing to judge by */ };

struct verdict {
	double qps;                 /* requests per second, rounded */
	enum verdict_passed passed; /* VERDICT_FAILED when it timed out */
	bool timed_out;
	bool limited;               /* the harness could not offer the rate */
	bool errored;               /* the harness failed: there is no verdict, passed is VERDICT_NONE */
	double num_requests;        /* 0 where it is not known */
};

/* Reads a trial result; FILE and LINE for errors (EX_DATAERR). Returns 0 or -1. */
int verdict_from_json(struct json_object *result, const char *file, long line, struct verdict *v, struct error *e);

/*
 * Appends the verdicts of SIZE bytes of JSON, one object a line, blank lines skipped, to *LIST,
 * which is to be freed. Every fault is reported. Returns 0 or -1.
 */
int verdict_parse_lines(const char *bytes, size_t size, const char *file, struct verdict **list, size_t *count,
    struct error *e);

#endif
