#include "prospect.h"

#include <math.h>

/* A final sample, with the neighbours that the value lies between, at their ranks (from 0) counted from the better end. */
struct sample {
	double better, worse;
	double num_good;    /* values that have come and meet the threshold */
	double num_to_come;
};

static enum prospect_outcome
outcome_of(const struct sample *s)
{
	if (s->worse < s->num_good) /* though all to come are behind it */
		return PROSPECT_PASSES;
	if (s->better >= s->num_good + s->num_to_come) /* though all to come are before it */
		return PROSPECT_FAILS;
	return PROSPECT_OPEN;
}

enum prospect_outcome
prospect_outcome(const struct prospect *p, double num_failed, double num_to_come)
{
	double num = p->num_below + p->num_equal + p->num_above + num_failed + num_to_come;
	double position = p->rule->quantile * (num - 1), low = floor(position), high = ceil(position);
	struct sample from_below = { low, high, p->num_below, num_to_come };
	struct sample from_above = { num - 1 - high, num - 1 - low, p->num_above, num_to_come };
	enum prospect_outcome at_most, at_least;

	if (p->rule->op != RULE_LT)
		from_below.num_good += p->num_equal;
	if (p->rule->op != RULE_GT)
		from_above.num_good += p->num_equal;
	at_most = outcome_of(&from_below);
	at_least = outcome_of(&from_above);
	switch (p->rule->op) {
	case RULE_LE:
	case RULE_LT:
		return at_most;
	case RULE_GE:
	case RULE_GT:
		return at_least;
	default:
		break;
	}
	if (num_failed > 0 || at_most == PROSPECT_FAILS || at_least == PROSPECT_FAILS)
		return PROSPECT_FAILS; /* a failed request equals nothing */
	return at_most == PROSPECT_PASSES && at_least == PROSPECT_PASSES ? PROSPECT_PASSES : PROSPECT_OPEN;
}
