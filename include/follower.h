/*
 * A follower of a request_metrics.csv that rows are appended to: each look reads what was appended, and tells what the rules
 * will come to whatever the requests still to come bring.
 */
#ifndef FOLLOWER_H
#define FOLLOWER_H

#include <stdbool.h>
#include <sys/types.h>

#include "arrival.h"
#include "error.h"
#include "prospect.h"
#include "rule.h"

struct follower;

/* For the file of that PATH, which need not be there yet. RULES have to live as long. */
struct follower *follower_new(const char *path, const struct rules *rules);
void follower_free(struct follower *follower);

/*
 * Reads the whole rows that were appended since the last look. A file that is not there has none. EX_IOERR, EX_DATAERR (as
 * columns.h has it, also for columns that are missing). Returns 0 or -1; then the follower is of no more use.
 */
int follower_look(struct follower *follower, struct error *e);

/* How many rows there are, and how many of them failed. */
double follower_num_rows(const struct follower *follower);
double follower_num_failed(const struct follower *follower);

/* When the rows arrived, as far as that is known; and those of them, in *NUM_ROWS, that arrived in the earlier half. */
const struct arrivals *follower_arrivals(const struct follower *follower);
struct arrivals follower_earlier_arrivals(struct follower *follower, double *num_rows);

/* The bytes of the rows and the header; the file may have more, of a row that is not whole. */
off_t follower_size(const struct follower *follower);

/* Whether the file of that name is the one that was read, and nothing was taken from it. */
bool follower_is_same_file(const struct follower *follower);

/*
 * The outcome of rule number I, with PLANNED requests in all, more than there are rows. A rule on worker_timeline.csv stays
 * open.
 */
enum prospect_outcome follower_rule_outcome(const struct follower *follower, size_t i, double planned);

/* The outcome of all rules together; open without rules. */
enum prospect_outcome follower_outcome(const struct follower *follower, double planned);

#endif
