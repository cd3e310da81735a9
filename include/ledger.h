/* Every trial of a search, one row each, for pandas, R and spreadsheets. */
#ifndef LEDGER_H
#define LEDGER_H

#include "error.h"
#include "results.h"

/*
 * The trials of all jobs as CSV with a header line (to be freed), jobs in the order of the config, trials in that of the search:
 * what the trace says of each, then METRIC@qQUANTILE and METRIC@max of every metric that some trial has (digest.h): those that
 * all harnesses give, the queue, and the others by name. A trial whose files cannot be read has empty cells there, and FAULTS
 * says why (EX_IOERR, EX_DATAERR).
 */
char *ledger_csv(const struct results *results, struct error *faults);

#endif
