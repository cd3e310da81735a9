/* A job's result in words: what its search ran into. */
#ifndef EXPLANATION_H
#define EXPLANATION_H

#include "summary.h"

/* What limited the answer or ended the search early (to be freed); NULL where a failing rate bounds the answer. */
char *explanation_of_limit(const struct summary *job);

/* How many of its trials were stopped early (to be freed); NULL: none. */
char *explanation_of_stops(const struct summary *job);

/* Why JOB, which has no error, has no answer (to be freed). */
char *explanation_of_no_answer(const struct summary *job);

#endif
