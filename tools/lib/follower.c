#include "follower.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "columns.h"
#include "memory.h"
#include "quantile.h"

struct follower {
	char *path;
	const struct rules *rules;
	struct columns columns;
	struct columns_source *source; /* NULL: the file was not there yet */
	struct prospect *prospects;    /* one for each rule */
	struct column **values;        /* of their metrics; NULL: not in this file */
	struct column *arrival;
	struct arrivals arrivals;
	double *times;                 /* of these, in any order */
	size_t num_times, room;
};

static void
add_time(struct follower *f, double seconds)
{
	arrivals_add(&f->arrivals, seconds);
	if (!isfinite(seconds))
		return;
	if (f->num_times == f->room)
		f->times = memory_resize(f->times, f->room = f->room ? 2 * f->room : 1024, sizeof *f->times);
	f->times[f->num_times++] = seconds;
}

static void
take_rows(void *follower, size_t num)
{
	struct follower *f = follower;

	for (size_t i = 0; i < f->rules->count; i++)
		for (size_t n = 0; n < num && f->values[i]; n++)
			if (!isnan(f->values[i]->cells[n]))
				prospect_add(&f->prospects[i], f->values[i]->cells[n]);
	for (size_t n = 0; n < num; n++)
		add_time(f, f->arrival->cells[n]);
}

struct follower *
follower_new(const char *path, const struct rules *rules)
{
	struct follower *f = memory_alloc(1, sizeof *f);

	f->path = memory_string(path);
	f->rules = rules;
	f->columns.take_rows = take_rows;
	f->columns.argument = f;
	f->prospects = memory_alloc(rules->count, sizeof *f->prospects);
	f->values = memory_alloc(rules->count, sizeof(struct column *));
	f->arrival = columns_want(&f->columns, "arrival_time", COLUMN_STAMP, false);
	columns_want(&f->columns, "error", COLUMN_ERROR, false);
	for (size_t i = 0; i < rules->count; i++) {
		const struct rule *rule = &rules->list[i];

		f->prospects[i].rule = rule;
		if (!rule_is_of_queue(rule))
			f->values[i] = columns_want(&f->columns, rule->metric, COLUMN_NUMBER, true);
	}
	return f;
}

void
follower_free(struct follower *f)
{
	if (!f)
		return;
	columns_close(f->source);
	columns_free(&f->columns);
	free(f->prospects);
	free(f->values);
	free(f->times);
	free(f->path);
	free(f);
}

int
follower_look(struct follower *f, struct error *e)
{
	if (!f->source && access(f->path, F_OK) != 0)
		return 0;
	if (!f->source && !(f->source = columns_open(&f->columns, f->path, e)))
		return -1;
	return columns_take_more(f->source, e);
}

double
follower_num_rows(const struct follower *f)
{
	return (double)f->columns.num_rows;
}

double
follower_num_failed(const struct follower *f)
{
	return (double)f->columns.num_failed;
}

const struct arrivals *
follower_arrivals(const struct follower *f)
{
	return &f->arrivals;
}

struct arrivals
follower_earlier_arrivals(struct follower *f, double *num_rows)
{
	struct arrivals earlier = f->arrivals;
	size_t middle = f->num_times / 2;

	*num_rows = follower_num_rows(f);
	if (middle == 0)
		return earlier;
	*num_rows *= (double)(middle + 1) / earlier.num;
	earlier.num = (double)(middle + 1);
	earlier.last = quantile_select(f->times, f->num_times, middle);
	return earlier;
}

off_t
follower_size(const struct follower *f)
{
	return f->source ? columns_size(f->source) : 0;
}

bool
follower_is_same_file(const struct follower *f)
{
	return f->source && columns_is_same_file(f->source);
}

enum prospect_outcome
follower_rule_outcome(const struct follower *f, size_t i, double planned)
{
	if (!f->values[i])
		return PROSPECT_OPEN;
	return prospect_outcome(&f->prospects[i], follower_num_failed(f), planned - follower_num_rows(f));
}

enum prospect_outcome
follower_outcome(const struct follower *f, double planned)
{
	size_t num_passing = 0;

	for (size_t i = 0; i < f->rules->count; i++) {
		enum prospect_outcome outcome = follower_rule_outcome(f, i, planned);

		if (outcome == PROSPECT_FAILS)
			return PROSPECT_FAILS;
		num_passing += outcome == PROSPECT_PASSES;
	}
	return num_passing > 0 && num_passing == f->rules->count ? PROSPECT_PASSES : PROSPECT_OPEN;
}
