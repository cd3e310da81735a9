/* What cs-trial says of a trial: to programs on stdout and by its exit status, to people on stderr. */
#ifndef STATEMENT_H
#define STATEMENT_H

#include <stdbool.h>

struct trial;
struct trial_result;

/*
 * What the trial came to. Returns the exit status: 0 a verdict, 1 an error, 2 timed out; or prints the path of trial_result.json
 * and returns 0, if that IS_IN_FILE.
 */
int statement_of_result(const struct trial *trial, const struct trial_result *r, bool is_in_file);

/* What would be run, if anything. Returns 0. */
int statement_of_plan(const struct trial *trial);

/* The result of a complete trial, where it PRINTS. Returns 0, or 1 if the trial would have to run. Writes nothing else. */
int statement_of_cache(const struct trial *trial, bool prints);

#endif
