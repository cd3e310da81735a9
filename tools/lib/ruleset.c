#include "ruleset.h"

#include <float.h>
#include <stdio.h>

#include "entry.h"
#include "json.h"
#include "rule.h"

#define OPERATORS "one of: <= < >= > =="

/* The member KEY of RULE as text; NULL, after a fault, if it is missing or no text. */
static const char *
rule_text(const struct node *rule, const char *where, const char *key, const char *expected, struct faults *faults)
{
	const struct node *node = entry_required(rule, where, key, expected, faults);

	if (node && node->kind == NODE_TEXT && *node->text)
		return node->text;
	if (node)
		entry_fault(node, where, key, expected, faults);
	return NULL;
}

/* A number as JSON, where an integer stays one; NULL after a fault. */
static struct json_object *
rule_number(const struct node *rule, const char *where, const char *key, const struct entry_range *range,
    struct faults *faults)
{
	const struct node *node = entry_required(rule, where, key, range->expected, faults);
	double value;

	if (!node || entry_number(rule, where, key, range, faults, &value) < 0)
		return NULL;
	return node->kind == NODE_INT ? node_to_json(node) : json_number(value);
}

static struct json_object *
read_rule(const struct node *rule, size_t number, struct faults *faults)
{
	static const char *const known[] = { "metric", "quantile", "threshold", "op", NULL };
	static const struct entry_range quantiles = { 0, 1, false, "a number from 0 to 1 (0.99, not 99)" };
	static const struct entry_range thresholds = { -DBL_MAX, DBL_MAX, false, "a finite number" };
	struct json_object *json = json_object_new_object();
	enum rule_op parsed;
	const char *op;
	char where[64];

	snprintf(where, sizeof where, "sla: rule %zu: ", number);
	entry_check_keys(rule, where, known, NULL, faults);
	json_object_object_add(json, "metric",
	    json_text_or_null(rule_text(rule, where, "metric", "the name of a metric", faults)));
	json_object_object_add(json, "quantile", rule_number(rule, where, "quantile", &quantiles, faults));
	op = rule_text(rule, where, "op", OPERATORS, faults);
	if (op && !rule_op_parse(op, &parsed))
		entry_fault(node_get(rule, "op"), where, "op", OPERATORS, faults);
	json_object_object_add(json, "op", json_text_or_null(op));
	json_object_object_add(json, "threshold", rule_number(rule, where, "threshold", &thresholds, faults));
	return json;
}

struct json_object *
ruleset_from_node(const struct node *list, struct faults *faults)
{
	struct json_object *json = json_object_new_array();

	if (list->kind != NODE_LIST)
		entry_fault(list, "", "sla", "a list of rules", faults);
	else if (list->count == 0)
		fault_add(faults, list->line, "sla is empty; expected at least one rule, or no sla");
	for (size_t i = 0; list->kind == NODE_LIST && i < list->count; i++) {
		const struct node *rule = list->members[i].value;

		if (rule->kind == NODE_MAP)
			json_object_array_add(json, read_rule(rule, i + 1, faults));
		else
			entry_fault(rule, "sla: ", "a rule", "a mapping with metric, quantile, threshold and op", faults);
	}
	return json;
}
