/* What a trial came to: from the files in its directory, with how its harness ended. */
#ifndef ASSESSMENT_H
#define ASSESSMENT_H

#include <stdbool.h>

#include "error.h"
#include "guardian.h"
#include "lookout.h"
#include "trial.h"
#include "trial_result.h"

/*
 * Whether the trial is complete as its directory stands. Then RESULT (trial_result_init()ed) is that of the files under the
 * trial's rules, cached.
 */
bool assessment_of_cache(const struct trial *trial, struct trial_result *result);

/*
 * The result of the try that ended with OUTCOME, not STOPPED. Makes benchmark_results.json where the harness exited 0
 * and left none. EX_CANTCREAT or EX_IOERR if that cannot be written. Returns 0 or -1.
 */
int assessment_of_run(const struct trial *trial, const struct guardian_outcome *outcome, struct trial_result *result,
    struct error *e);

/*
 * The result of the try that ended with OUTCOME, STOPPED because LOOKOUT had its verdict. Leaves the requests that decided it,
 * and makes benchmark_results.json of them. EX_CANTCREAT or EX_IOERR. Returns 0 or -1.
 */
int assessment_of_stop(const struct trial *trial, struct lookout *lookout, const struct guardian_outcome *outcome,
    struct trial_result *result, struct error *e);

/* The result of a trial that was not begun because LISTENERS ("port 5000: process 12", as claim.h has them) are in its way. */
void assessment_of_refusal(const struct trial *trial, const char *listeners, struct trial_result *result);

#endif
