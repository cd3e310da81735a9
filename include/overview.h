/* The table of jobs for people: what each can sustain, how good it is there, and what was in the way. */
#ifndef OVERVIEW_H
#define OVERVIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "results.h"

/*
 * One line a job: name, capacity (requests per second; with a sign for "at least" where no failing rate
 * bounds it), the values of the rules at that rate, trials, and a note: simulated, what limited the
 * answer, the error. Then a line for each job that has neither answer nor error, and for each error
 * where one was cut. UTF8 and WIDTH as in table.h. To be freed.
 */
char *overview_text(const struct results *results, bool utf8, size_t width);

#endif
