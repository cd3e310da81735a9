#include "verdict.h"

#include <string.h>
#include <sysexits.h>

#include "json.h"
#include "memory.h"
#include "rate.h"

static int
expected(const char *file, long line, const char *key, struct json_object *found, const char *what, struct error *e)
{
	return error_add(e, EX_DATAERR, file, line, "\"%s\" is %s; expected %s", key,
	    found ? json_object_to_json_string(found) : "missing or null", what);
}

/* The member KEY of RESULT as a yes or no into *VALUE (unchanged where it is missing or null). */
static int
read_flag(struct json_object *result, const char *key, const char *file, long line, bool *value, struct error *e)
{
	struct json_object *member = NULL;

	json_object_object_get_ex(result, key, &member);
	if (!member)
		return 0;
	if (!json_object_is_type(member, json_type_boolean))
		return expected(file, line, key, member, "true, false or null", e);
	*value = json_object_get_boolean(member);
	return 0;
}

static bool
is_number(struct json_object *o)
{
	return json_object_is_type(o, json_type_double) || json_object_is_type(o, json_type_int);
}

int
verdict_from_json(struct json_object *result, const char *file, long line, struct verdict *v, struct error *e)
{
	struct json_object *member = NULL;
	bool passed = false;

	memset(v, 0, sizeof *v);
	if (!json_object_is_type(result, json_type_object))
		return error_add(e, EX_DATAERR, file, line, "expected a JSON object, a trial's result");
	json_object_object_get_ex(result, "qps", &member);
	if (!is_number(member) || !rate_is_valid(json_object_get_double(member)))
		return expected(file, line, "qps", member, "a rate above 0, in requests per second", e);
	v->qps = rate_round(json_object_get_double(member));
	if (read_flag(result, "timed_out", file, line, &v->timed_out, e) < 0 ||
	    read_flag(result, "passed", file, line, &passed, e) < 0)
		return -1;
	v->passed = passed && !v->timed_out ? VERDICT_PASSED : VERDICT_FAILED;
	if (!v->timed_out && !json_object_object_get(result, "passed"))
		v->passed = VERDICT_NONE;
	v->limited = json_object_object_get(result, "limited_by") != NULL;
	v->errored = json_object_object_get(result, "error") != NULL;
	if (v->errored)
		v->passed = VERDICT_NONE;
	if ((member = json_object_object_get(result, "num_requests")) != NULL) {
		if (!is_number(member))
			return expected(file, line, "num_requests", member, "a number", e);
		v->num_requests = json_object_get_double(member);
	}
	return 0;
}

int
verdict_parse_lines(const char *bytes, size_t size, const char *file, struct verdict **list, size_t *count,
    struct error *e)
{
	const char *end = bytes + size, *next;
	int status = 0;
	long line = 1;

	for (const char *p = bytes; p < end; p = next, line++) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		size_t length = (size_t)((newline ? newline : end) - p);
		struct json_object *result;

		next = newline ? newline + 1 : end;
		if (strspn(p, " \t\r") >= length)
			continue;
		result = json_parse(p, length, file, line, e);
		*list = memory_resize(*list, *count + 1, sizeof **list);
		if (!result || verdict_from_json(result, file, line, &(*list)[*count], e) < 0)
			status = -1;
		else
			++*count;
		json_object_put(result);
	}
	return status;
}
