#include "comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attempt.h"
#include "json.h"
#include "memory.h"
#include "rate.h"
#include "setup.h"

static const char *
name_of(const struct summary *s)
{
	return json_get_text(s->members, "job_name", "");
}

static const char *
key_of(const struct summary *s)
{
	return json_get_text(s->members, "job_key", "");
}

/* Whether one of the searches has NAME more than once. */
static bool
repeats(const struct comparison *c, const char *name)
{
	for (size_t i = 0; i < c->num_searches; i++) {
		size_t count = 0;

		for (size_t j = 0; j < c->searches[i].num; j++)
			count += strcmp(name_of(&c->searches[i].list[j]), name) == 0;
		if (count > 1)
			return true;
	}
	return false;
}

/* The row of a job of search SEARCH, a new one if there is none. */
static struct comparison_row *
row_of(struct comparison *c, const struct summary *s, size_t search)
{
	bool by_key = repeats(c, name_of(s));
	char *name = by_key ? memory_format("%s (%s)", name_of(s), key_of(s)) : memory_string(name_of(s));
	struct comparison_row *row;

	for (size_t i = 0; i < c->num_rows; i++) {
		if (!c->rows[i].cells[search].summary && strcmp(c->rows[i].name, name) == 0) {
			free(name);
			return &c->rows[i];
		}
	}
	c->rows = memory_resize(c->rows, c->num_rows + 1, sizeof *c->rows);
	row = &c->rows[c->num_rows++];
	row->name = name;
	row->differences = NULL;
	row->cells = memory_alloc(c->num_searches, sizeof *row->cells);
	return row;
}

static void
read_interval(struct comparison_cell *cell)
{
	struct json_object *interval = json_object_object_get(cell->summary->members, "capacity_interval"), *low, *high;

	if (!json_object_is_type(interval, json_type_array) || json_object_array_length(interval) != 2)
		return;
	low = json_object_array_get_idx(interval, 0);
	high = json_object_array_get_idx(interval, 1);
	cell->has_interval = true;
	cell->low = low ? json_object_get_double(low) : 0;
	cell->high = high ? json_object_get_double(high) : INFINITY;
}

static void
fill(struct comparison_cell *cell, const struct summary *s)
{
	struct attempts attempts;

	cell->summary = s;
	cell->error = json_get_text(s->members, "error", NULL);
	cell->change = NAN;
	if (cell->error)
		return;
	cell->best = json_get_number(s->members, "max_qps_under_sla", 0);
	attempts_read(s, &attempts);
	for (size_t i = 0; i < attempts.num; i++) {
		const struct attempt *a = &attempts.list[i];

		if (a->outcome == ATTEMPT_UNJUDGED)
			cell->is_unjudged = true;
		if (a->outcome == ATTEMPT_FAILED && a->qps > cell->best && (cell->failing == 0 || a->qps < cell->failing))
			cell->failing = a->qps;
	}
	attempts_free(&attempts);
	read_interval(cell);
}

static bool
is_answered(const struct comparison_cell *cell)
{
	return cell->summary && !cell->error && !cell->is_unjudged;
}

/* Whether all of [0, A) that ENDS there lies below what begins at B; an end of 0 is none. */
static bool
ends_below(double end, double begin)
{
	return end > 0 && end <= begin;
}

static void
judge(const struct comparison_cell *first, struct comparison_cell *cell)
{
	cell->change = NAN;
	if (!cell->summary) {
		cell->verdict = first->summary ? COMPARISON_GONE : COMPARISON_NONE;
	} else if (!first->summary) {
		cell->verdict = COMPARISON_NEW;
	} else if (cell->error && !first->error) {
		cell->verdict = COMPARISON_ERROR;
	} else if (is_answered(first) && is_answered(cell)) {
		cell->verdict = ends_below(first->failing, cell->best) ? COMPARISON_HIGHER
		    : ends_below(cell->failing, first->best)            ? COMPARISON_LOWER
		                                                         : COMPARISON_WITHIN;
		if (first->best > 0)
			cell->change = 100 * (cell->best - first->best) / first->best;
		cell->both_intervals = first->has_interval && cell->has_interval;
		cell->is_certain = cell->both_intervals && (cell->low >= first->high || first->low >= cell->high);
	}
}

/* The settings in which the searches of a row differ. */
static void
note_differences(const struct comparison *c, struct comparison_row *row)
{
	struct json_object **setups = memory_alloc(c->num_searches, sizeof(struct json_object *));

	for (size_t i = 0; i < c->num_searches; i++) {
		const struct results *search = &c->searches[i];

		if (row->cells[i].summary)
			setups[i] = setup_read(search->output_dir, search->directories[row->cells[i].summary - search->list]);
	}
	row->differences = setup_differences(setups, c->num_searches);
	for (size_t i = 0; i < c->num_searches; i++)
		json_object_put(setups[i]);
	free(setups);
}

static void
compare(struct comparison *c)
{
	for (size_t i = 0; i < c->num_searches; i++)
		for (size_t j = 0; j < c->searches[i].num; j++)
			fill(&row_of(c, &c->searches[i].list[j], i)->cells[i], &c->searches[i].list[j]);
	for (size_t i = 0; i < c->num_rows; i++) {
		c->rows[i].cells[0].change = NAN;
		for (size_t j = 1; j < c->num_searches; j++)
			judge(&c->rows[i].cells[0], &c->rows[i].cells[j]);
		note_differences(c, &c->rows[i]);
	}
}

int
comparison_read(char *const *directories, size_t num, struct comparison *c, struct error *e)
{
	memset(c, 0, sizeof *c);
	c->searches = memory_alloc(num, sizeof *c->searches);
	while (c->num_searches < num) {
		if (results_read(directories[c->num_searches], false, &c->searches[c->num_searches], e) < 0) {
			comparison_free(c);
			return -1;
		}
		c->num_searches++;
	}
	compare(c);
	return 0;
}

void
comparison_free(struct comparison *c)
{
	for (size_t i = 0; i < c->num_rows; i++) {
		free(c->rows[i].name);
		free(c->rows[i].cells);
		json_object_put(c->rows[i].differences);
	}
	free(c->rows);
	for (size_t i = 0; i < c->num_searches; i++)
		results_free(&c->searches[i]);
	free(c->searches);
	memset(c, 0, sizeof *c);
}

char *
comparison_capacity_text(const struct comparison_cell *cell, bool utf8)
{
	char best[RATE_TEXT_MAX], failing[RATE_TEXT_MAX];

	rate_text(cell->best, best);
	rate_text(cell->failing, failing);
	if (!cell->summary)
		return memory_string("-");
	if (cell->error)
		return memory_string("error");
	if (cell->is_unjudged)
		return memory_string("no SLA");
	if (cell->failing > 0)
		return memory_format("%s (%s fails)", cell->best > 0 ? best : "none", failing);
	return cell->best > 0 ? memory_format("%s %s", utf8 ? "≥" : ">=", best) : memory_string("none");
}

char *
comparison_change_text(const struct comparison_cell *cell)
{
	if (isnan(cell->change))
		return memory_string("");
	return cell->change == 0 ? memory_string("0 %") : memory_format("%+.1f %%", cell->change);
}

char *
comparison_verdict_text(const struct comparison_cell *cell)
{
	static const char *const words[] = { [COMPARISON_NONE] = "", [COMPARISON_WITHIN] = "within steps",
		[COMPARISON_HIGHER] = "higher", [COMPARISON_LOWER] = "lower", [COMPARISON_NEW] = "new",
		[COMPARISON_GONE] = "gone", [COMPARISON_ERROR] = "error" };
	bool is_apart = cell->verdict == COMPARISON_HIGHER || cell->verdict == COMPARISON_LOWER;

	return memory_format("%s%s", words[cell->verdict],
	    !is_apart || !cell->both_intervals ? "" : cell->is_certain ? ", certain" : ", not certain");
}
