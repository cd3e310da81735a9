/*
 * What a rule will come to, by the requests that have come, whatever those still to come bring: any number, infinite ones too,
 * no value, or a failure.
 *
 * Only how many values are on which side of the threshold is kept. The rule's value lies between two neighbours of the
 * final sample (quantile.h). If the requests to come were all best, and the better neighbour missed the threshold, no others
 * could mend that; if they were all worst, and the worse neighbour met it, none could spoil it. Requests without a value
 * move both less. Where the threshold lies between the neighbours the last requests may have to come before it is known.
 */
#ifndef PROSPECT_H
#define PROSPECT_H

#include "rule.h"

enum prospect_outcome { PROSPECT_OPEN, PROSPECT_FAILS, PROSPECT_PASSES };

struct prospect {
	const struct rule *rule;
	double num_below, num_equal, num_above; /* values below the threshold, ...; zeroed at first */
};

/* VALUE is no NaN. */
static inline void
prospect_add(struct prospect *p, double value)
{
	p->num_below += value < p->rule->threshold;
	p->num_equal += value == p->rule->threshold;
	p->num_above += value > p->rule->threshold;
}

/*
 * The rule's outcome with NUM_FAILED failed requests beside the values, and NUM_TO_COME requests more, at least one.
 * Whatever these are, rule_holds() for the quantile of all says the same.
 */
enum prospect_outcome prospect_outcome(const struct prospect *prospect, double num_failed, double num_to_come);

#endif
