#include "strategy.h"

#include <float.h>
#include <json-c/json.h>
#include <stdlib.h>

#include "config.h"
#include "entry.h"
#include "json.h"
#include "rate.h"

void
strategy_read(const struct node *root, const struct config_overrides *over, struct strategy *strategy, struct faults *faults)
{
	static const char *const known[] = { "max_iterations", "min_search_granularity_pct", "max_qps_cap", "qps_list",
		"max_failed_requests_pct", "early_stop", NULL };
	static const char *const later[] = { "confidence", "max_num_requests", "vary_seed", "confirm", NULL };
	static const struct entry_range iterations = { 1, 9007199254740992, false, "a whole number from 1" };
	static const struct entry_range above_zero = { 0, DBL_MAX, true, "a number above 0" };
	static const struct entry_range percent = { 0, 100, false, "a number from 0 to 100" };
	static const struct entry_range caps = { 1e-4, RATE_MAX, false, "requests per second, from 0.0001 to 1e9, or null" };
	static const char where[] = "search: ";
	const struct node *map = entry_map(root, "", "search", faults);
	struct search *s = &strategy->common;

	*strategy = (struct strategy){ .has_sla = node_get(root, "sla") != NULL, .has_list = node_get(map, "qps_list") != NULL };
	search_init(s);
	if (map)
		entry_check_keys(map, where, known, later, faults);
	entry_integer(map, where, "max_iterations", &iterations, faults, &s->max_iterations);
	entry_number(map, where, "min_search_granularity_pct", &above_zero, faults, &s->min_search_granularity_pct);
	entry_number(map, where, "max_qps_cap", &caps, faults, &s->max_qps_cap);
	entry_rates(map, where, "qps_list", faults, &s->qps_list, &s->num_qps);
	entry_number(map, where, "max_failed_requests_pct", &percent, faults, &strategy->max_failed_requests_pct);
	strategy->early_stop = early_stop_from_node(map, faults);
	s->max_iterations = over->max_iterations ? over->max_iterations : s->max_iterations;
	if (over->min_search_granularity_pct > 0)
		s->min_search_granularity_pct = over->min_search_granularity_pct;
	s->max_qps_cap = rate_floor(over->max_qps_cap > 0 ? over->max_qps_cap : s->max_qps_cap);
}

void
strategy_free(struct strategy *strategy)
{
	search_free(&strategy->common);
}

/* The member "search" of a job that starts at START_QPS (0: it does not) or tries the COUNT rates. */
static struct json_object *
search_of(const struct strategy *strategy, double start_qps, const double *rates, size_t count)
{
	const struct search *s = &strategy->common;
	struct json_object *json = json_object_new_object(), *list;

	if (start_qps > 0) {
		json_object_object_add(json, "start_qps", json_number(start_qps));
	} else {
		list = json_object_new_array();
		for (size_t i = 0; i < count; i++)
			json_object_array_add(list, json_number(rates[i]));
		json_object_object_add(json, "qps_list", list);
	}
	json_object_object_add(json, "max_iterations", json_object_new_int64(s->max_iterations));
	json_object_object_add(json, "min_search_granularity_pct", json_number(s->min_search_granularity_pct));
	json_object_object_add(json, "max_qps_cap", s->max_qps_cap < RATE_MAX ? json_number(s->max_qps_cap) : NULL);
	json_object_object_add(json, "max_failed_requests_pct", json_number(strategy->max_failed_requests_pct));
	if (strategy->early_stop != EARLY_STOP_OFF)
		json_object_object_add(json, "early_stop", json_object_new_string(early_stop_text(strategy->early_stop)));
	return json;
}

struct json_object *
strategy_of_job(const struct strategy *strategy, const struct node *job, const char *where, struct faults *faults)
{
	bool has_start = node_get(job, "start_qps") != NULL, has_list = node_get(job, "qps_list") != NULL;
	struct json_object *search = NULL;
	double start = 0, *rates = NULL;
	size_t count = 0;
	bool good = entry_rate(job, where, "start_qps", faults, &start) == 0;

	good = entry_rates(job, where, "qps_list", faults, &rates, &count) == 0 && good;
	if (has_start && has_list)
		fault_add(faults, job->line, "%sstart_qps and qps_list are both given; expected one of them", where);
	else if (has_start && !strategy->has_sla)
		fault_add(faults, job->line, "%sstart_qps has no sla to search by; expected a list of rules, sla",
		    where);
	else if (!has_start && !has_list && !strategy->has_list)
		fault_add(faults, job->line, "%shas no rates; expected start_qps or qps_list, here or qps_list in search",
		    where);
	else if (good && (has_start || has_list))
		search = search_of(strategy, start, rates, count);
	else if (good)
		search = search_of(strategy, 0, strategy->common.qps_list, strategy->common.num_qps);
	free(rates);
	return search;
}
