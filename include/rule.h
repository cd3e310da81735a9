/* SLA rules: METRIC@qQUANTILE OP THRESHOLD. */
#ifndef RULE_H
#define RULE_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

#define RULE_QUEUE_METRIC "queue_depth_waiting" /* the one that comes from worker_timeline.csv */

struct json_object;

enum rule_op { RULE_LE, RULE_LT, RULE_GE, RULE_GT, RULE_EQ };

struct rule {
	char *metric;
	double quantile;           /* 0 to 1 */
	bool quantile_is_integer;  /* written 0 or 1, which shows in the key */
	enum rule_op op;
	double threshold;          /* in the metric's own unit; finite */
};

struct rules {
	struct rule *list;
	size_t count;
	bool given;                /* false: there is no SLA, nothing to judge by */
};

/* Reads "METRIC@qQUANTILE OP THRESHOLD", spaces optional, and appends it. EX_USAGE says what was expected. */
int rules_add_text(struct rules *rules, const char *text, struct error *e);

/* Reads sla.json: a list of rules, or null. EX_NOINPUT, EX_DATAERR. Returns 0 or -1. */
int rules_read(const char *path, struct rules *rules, struct error *e);
void rules_free(struct rules *rules);

/* The name of a rule's value in metric_values: request_scheduling_delay@q0.5 (to be freed). */
char *rule_key(const struct rule *rule);

/* The operator's spelling, and the operator of a spelling (false: there is none). */
const char *rule_op_text(enum rule_op op);
const char *rule_op_sign(enum rule_op op); /* for people: ≤ */
bool rule_op_parse(const char *text, enum rule_op *op);

/* Whether VALUE meets the rule. NaN, and anything == but the threshold, does not. */
bool rule_holds(const struct rule *rule, double value);

/* Whether its metric comes from worker_timeline.csv. */
bool rule_is_of_queue(const struct rule *rule);

/* The value of a failed request under the rule: the infinity that fails it. */
double rule_worst(const struct rule *rule);

#endif
