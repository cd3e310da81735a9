/*
 * A lookout: knows the verdict of a trial that is to stop early (early_stop.h) as soon as its request_metrics.csv decides
 * it, whatever the requests still to come bring, if only they do not fail. A trial whose requests so far arrived too slowly
 * (arrival.h) is not decided: its harness, not the service, may be what fails. Nor is one whose requests have all come, or of
 * which it is not known how many will.
 */
#ifndef LOOKOUT_H
#define LOOKOUT_H

#include <stdbool.h>

#include "error.h"
#include "verdict.h"

struct lookout;
struct trial;

/* For TRIAL, which has to live as long. NULL: it does not stop early. */
struct lookout *lookout_new(const struct trial *trial);
void lookout_free(struct lookout *lookout);

/*
 * Reads what was appended. VERDICT_NONE: it is not decided. A file that cannot be read, or was replaced, never decides: the trial
 * goes on to its end, which tells why.
 */
enum verdict_passed lookout_look(struct lookout *lookout);

/* How many requests had come at that look, and how many of them had failed. */
double lookout_num_requests(const struct lookout *lookout);
double lookout_num_failed(const struct lookout *lookout);

/*
 * After the last process of the trial: cuts request_metrics.csv down to the rows that decided, and renames a worker_timeline.csv
 * that is not whole. EX_DATAERR if those rows are not there any more, EX_IOERR. Returns 0 or -1.
 */
int lookout_cut_files(struct lookout *lookout, struct error *e);

#endif
