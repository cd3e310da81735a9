#include "rule.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "file.h"
#include "json.h"
#include "memory.h"
#include "number.h"

static const char *const op_texts[] = { [RULE_LE] = "<=", [RULE_LT] = "<", [RULE_GE] = ">=", [RULE_GT] = ">",
	[RULE_EQ] = "==" };

const char *
rule_op_text(enum rule_op op)
{
	return op_texts[op];
}

const char *
rule_op_sign(enum rule_op op)
{
	static const char *const signs[] = { [RULE_LE] = "≤", [RULE_LT] = "<", [RULE_GE] = "≥", [RULE_GT] = ">", [RULE_EQ] = "=" };

	return signs[op];
}

bool
rule_op_parse(const char *text, enum rule_op *op)
{
	for (size_t i = 0; i < sizeof op_texts / sizeof *op_texts; i++) {
		if (strcmp(text, op_texts[i]) == 0) {
			*op = (enum rule_op)i;
			return true;
		}
	}
	return false;
}

bool
rule_holds(const struct rule *rule, double value)
{
	switch (rule->op) {
	case RULE_LE:
		return value <= rule->threshold;
	case RULE_LT:
		return value < rule->threshold;
	case RULE_GE:
		return value >= rule->threshold;
	case RULE_GT:
		return value > rule->threshold;
	default:
		return value == rule->threshold;
	}
}

bool
rule_is_of_queue(const struct rule *rule)
{
	return strcmp(rule->metric, RULE_QUEUE_METRIC) == 0;
}

double
rule_worst(const struct rule *rule)
{
	return rule->op == RULE_GE || rule->op == RULE_GT ? -INFINITY : INFINITY;
}

char *
rule_key(const struct rule *rule)
{
	char text[NUMBER_TEXT_MAX];

	number_repr(rule->quantile, text);
	if (rule->quantile_is_integer)
		*strchr(text, '.') = '\0';
	return memory_format("%s@q%s", rule->metric, text);
}

static void
append(struct rules *rules, const struct rule *rule)
{
	rules->list = memory_resize(rules->list, rules->count + 1, sizeof *rules->list);
	rules->list[rules->count++] = *rule;
	rules->given = true;
}

void
rules_free(struct rules *rules)
{
	for (size_t i = 0; i < rules->count; i++)
		free(rules->list[i].metric);
	free(rules->list);
	memset(rules, 0, sizeof *rules);
}

/* The SIZE bytes at TEXT without the blanks at their ends (to be freed). */
static char *
trimmed(const char *text, size_t size)
{
	while (size > 0 && isspace((unsigned char)*text)) {
		text++;
		size--;
	}
	while (size > 0 && isspace((unsigned char)text[size - 1]))
		size--;
	return memory_format("%.*s", (int)size, text);
}

/* The last "@q" in TEXT, or NULL. */
static const char *
find_quantile(const char *text)
{
	const char *found = NULL;

	while ((text = strstr(text, "@q")) != NULL)
		found = text++;
	return found;
}

/* The parts of a rule in words; they become RULE. Returns what is wrong with the rule, or NULL. */
static const char *
rule_from_words(struct rule *rule, const char *quantile, const char *op, const char *threshold)
{
	long integer;

	if (!*rule->metric)
		return "the metric is missing";
	if (!number_parse(quantile, &rule->quantile) || rule->quantile < 0 || rule->quantile > 1)
		return "the quantile is not a number from 0 to 1";
	rule->quantile = fabs(rule->quantile); /* not -0 */
	rule->quantile_is_integer = number_parse_integer(quantile, 0, 1, &integer);
	if (!rule_op_parse(op, &rule->op))
		return "the operator is not one of <= < >= > ==";
	if (!number_parse(threshold, &rule->threshold))
		return "the threshold is not a number";
	return NULL;
}

int
rules_add_text(struct rules *rules, const char *text, struct error *e)
{
	const char *at = find_quantile(text), *op;
	struct rule rule = { 0 };
	const char *wrong = "there is no @q";

	if (at) {
		char *words[3];
		size_t op_size;

		op = at + strcspn(at, "<>=!~");
		op_size = strspn(op, "<>=!~");
		rule.metric = trimmed(text, (size_t)(at - text));
		words[0] = trimmed(at + 2, (size_t)(op - at - 2));
		words[1] = trimmed(op, op_size);
		words[2] = trimmed(op + op_size, strlen(op + op_size));
		wrong = rule_from_words(&rule, words[0], words[1], words[2]);
		for (int i = 0; i < 3; i++)
			free(words[i]);
	}
	if (!wrong) {
		append(rules, &rule);
		return 0;
	}
	free(rule.metric);
	return error_add(e, EX_USAGE, NULL, 0, "rule '%s': %s; expected METRIC@qQUANTILE OP THRESHOLD, "
	    "for example request_scheduling_delay@q0.5 <= 2.0", text, wrong);
}

/* The line on which the element of that INDEX in a JSON list begins. */
static long
line_of_element(const char *text, size_t index)
{
	bool in_string = false;
	size_t commas = 0;
	int depth = 0;
	long line = 1;

	for (; *text; text++) {
		if (*text == '\n')
			line++;
		else if (in_string && *text == '\\' && text[1])
			text++;
		else if (depth == 1 && commas == index && *text != ',' && !isspace((unsigned char)*text))
			break;
		else if (*text == '"')
			in_string = !in_string;
		else if (!in_string && strchr("[{", *text))
			depth++;
		else if (!in_string && strchr("]}", *text))
			depth--;
		else if (!in_string && *text == ',' && depth == 1)
			commas++;
	}
	return line;
}

static bool
is_number(struct json_object *o, double *value)
{
	if (!json_object_is_type(o, json_type_int) && !json_object_is_type(o, json_type_double))
		return false;
	*value = json_object_get_double(o);
	return isfinite(*value);
}

/* Returns what is wrong with the rule, or NULL; then RULE owns its metric. */
static const char *
rule_from_json(struct json_object *object, struct rule *rule)
{
	struct json_object *quantile = json_object_object_get(object, "quantile");
	const char *metric = json_get_text(object, "metric", "");

	if (!json_object_is_type(object, json_type_object))
		return "expected an object with metric, quantile, op and threshold";
	json_object_object_foreach(object, key, value) {
		(void)value;
		if (strcmp(key, "metric") != 0 && strcmp(key, "quantile") != 0 && strcmp(key, "op") != 0 &&
		    strcmp(key, "threshold") != 0)
			return "a member other than metric, quantile, op and threshold";
	}
	if (!*metric)
		return "\"metric\": expected the name of a column";
	if (!is_number(quantile, &rule->quantile) || rule->quantile < 0 || rule->quantile > 1)
		return "\"quantile\": expected a number from 0 to 1";
	rule->quantile = fabs(rule->quantile);
	rule->quantile_is_integer = json_object_is_type(quantile, json_type_int);
	if (!rule_op_parse(json_get_text(object, "op", ""), &rule->op))
		return "\"op\": expected one of <= < >= > ==";
	if (!is_number(json_object_object_get(object, "threshold"), &rule->threshold))
		return "\"threshold\": expected a number";
	rule->metric = memory_string(metric);
	return NULL;
}

static void
rules_from_json(struct json_object *list, const char *bytes, const char *path, struct rules *rules, struct error *e)
{
	size_t count;

	if (!list)
		return; /* null: no SLA */
	count = json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
	if (count == 0)
		error_add(e, EX_DATAERR, path, 1, "expected a list of rules that is not empty, or null");
	for (size_t i = 0; i < count; i++) {
		struct rule rule = { 0 };
		const char *wrong = rule_from_json(json_object_array_get_idx(list, i), &rule);

		if (wrong)
			error_add(e, EX_DATAERR, path, line_of_element(bytes, i), "rule %zu: %s", i + 1, wrong);
		else
			append(rules, &rule);
	}
}

int
rules_read(const char *path, struct rules *rules, struct error *e)
{
	struct error own = ERROR_NONE;
	struct json_object *list;
	size_t size;
	char *bytes = file_read(path, &size, e);

	memset(rules, 0, sizeof *rules);
	if (!bytes)
		return -1;
	list = json_parse(bytes, size, path, 1, &own);
	if (!error_is_set(&own))
		rules_from_json(list, bytes, path, rules, &own);
	json_object_put(list);
	free(bytes);
	if (!error_is_set(&own))
		return 0;
	error_add(e, own.status, NULL, 0, "%s", own.text);
	error_clear(&own);
	rules_free(rules);
	return -1;
}
