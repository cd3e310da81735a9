/*
 * The output directory, as cs-expand leaves it for make:
 *
 *   Makefile              names the jobs and includes the installed rules
 *   .capacity-search      link to those rules, so that make need not know where they are
 *   sla.json              the rules, or null
 *   jobs/NAME_KEY/job.json
 *
 * What a file says decides whether it is written: one that stays the same keeps its mtime, and before
 * one changes, the summaries and results that rest on it are removed, whatever the clock says.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "config.h"
#include "error.h"

/*
 * Writes CONFIG to DIRECTORY, which is made where it is missing. EX_CANTCREAT, or EX_IOERR for a disk
 * that is full; what was written then is in order, and the next call goes on from there. Nothing is
 * written where DIRECTORY has a Makefile of somebody else's. Returns 0 or -1.
 */
int output_write(const char *directory, const struct config *config, struct error *e);

#endif
