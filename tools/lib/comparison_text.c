#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell.h"
#include "comparison.h"
#include "json.h"
#include "memory.h"
#include "number.h"
#include "setup.h"
#include "table.h"

#define ROUNDING 1e-9 /* of a per cent: how far arithmetic may be off */

static FILE *
open_text(char **text, size_t *size)
{
	FILE *f = open_memstream(text, size);

	if (!f)
		memory_exhausted();
	return f;
}

static void
close_text(FILE *f)
{
	if (fclose(f) != 0)
		memory_exhausted();
}

/* "num_requests: 200, 400", a value for each search (to be freed). */
static char *
difference_text(const char *name, struct json_object *values)
{
	char *text;
	size_t size;
	FILE *f = open_text(&text, &size);

	fprintf(f, "%s: ", name);
	for (size_t i = 0; i < json_object_array_length(values); i++) {
		char *value = setup_value_text(json_object_array_get_idx(values, i));

		fprintf(f, "%s%s", i ? " | " : "", value);
		free(value);
	}
	close_text(f);
	return text;
}

/* How many rows have each difference, by its text. */
static struct json_object *
count_differences(const struct comparison *c)
{
	struct json_object *counts = json_object_new_object(), *count;

	for (size_t i = 0; i < c->num_rows; i++) {
		json_object_object_foreach(c->rows[i].differences, name, values) {
			char *text = difference_text(name, values);

			if (json_object_object_get_ex(counts, text, &count))
				json_object_set_int(count, json_object_get_int(count) + 1);
			else
				json_object_object_add(counts, text, json_object_new_int(1));
			free(text);
		}
	}
	return counts;
}

/* How many jobs all of the searches have. */
static size_t
count_shared(const struct comparison *c)
{
	size_t num = 0;

	for (size_t i = 0; i < c->num_rows; i++) {
		bool is_shared = true;

		for (size_t j = 0; j < c->num_searches; j++)
			is_shared = is_shared && c->rows[i].cells[j].summary;
		num += is_shared;
	}
	return num;
}

/* What is different in all jobs that can be compared is said once. */
static void
print_differences(const struct comparison *c, FILE *f)
{
	struct json_object *counts = count_differences(c);
	size_t shared = count_shared(c);

	json_object_object_foreach(counts, text, count) {
		if (shared > 1 && (size_t)json_object_get_int(count) == shared)
			fprintf(f, "%s: %s\n", shared == c->num_rows ? "all jobs" : "all jobs of all searches", text);
	}
	for (size_t i = 0; i < c->num_rows; i++) {
		json_object_object_foreach(c->rows[i].differences, name, values) {
			char *line = difference_text(name, values);

			if (shared < 2 || (size_t)json_object_get_int(json_object_object_get(counts, line)) != shared)
				fprintf(f, "%s: %s\n", c->rows[i].name, line);
			free(line);
		}
	}
	json_object_put(counts);
}

static void
print_simulations(const struct comparison *c, FILE *f)
{
	for (size_t i = 0; i < c->num_searches; i++) {
		const struct results *search = &c->searches[i];
		size_t num = 0;

		for (size_t j = 0; j < search->num; j++)
			num += json_get_bool(search->list[j].members, "simulated", false);
		if (num > 0)
			fprintf(f, "%s: simulated, no real service was measured%s\n", search->output_dir,
			    num < search->num ? " in some jobs" : "");
	}
}

char *
comparison_notes(const struct comparison *c)
{
	char *text;
	size_t size;
	FILE *f = open_text(&text, &size);

	print_differences(c, f);
	for (size_t i = 0; i < c->num_rows; i++)
		for (size_t j = 0; j < c->num_searches; j++)
			if (c->rows[i].cells[j].error)
				fprintf(f, "%s: error in %s: %s\n", c->rows[i].name, c->searches[j].output_dir, c->rows[i].cells[j].error);
	print_simulations(c, f);
	close_text(f);
	return text;
}

static bool
is_worse(const struct comparison_cell *first, const struct comparison_cell *cell, double percent)
{
	return first->best > 0 && (!(cell->best > 0) || cell->change < -percent - ROUNDING);
}

char *
comparison_losses(const struct comparison *c, double percent, bool utf8)
{
	char *text;
	size_t size;
	FILE *f = open_text(&text, &size);

	for (size_t i = 0; i < c->num_rows; i++) {
		for (size_t j = 1; j < c->num_searches; j++) {
			const struct comparison_cell *first = &c->rows[i].cells[0], *cell = &c->rows[i].cells[j];
			char *before, *after, *line, *harmless;

			if (!is_worse(first, cell, percent))
				continue;
			before = comparison_capacity_text(first, utf8);
			after = cell->summary ? comparison_capacity_text(cell, utf8) : memory_string("no such job");
			line = memory_format("%s: worse by more than %g %%: %s requests/s in %s, %s in %s", c->rows[i].name, percent,
			    before, c->searches[0].output_dir, after, c->searches[j].output_dir);
			harmless = table_harmless(line, utf8);
			fprintf(f, "%s\n", harmless);
			free(harmless);
			free(line);
			free(after);
			free(before);
		}
	}
	close_text(f);
	return text;
}

static void
add_row(struct table *t, const struct comparison *c, const struct comparison_row *row, bool utf8)
{
	table_add_cell(t, row->name);
	for (size_t i = 0; i < c->num_searches; i++) {
		char *texts[] = { comparison_capacity_text(&row->cells[i], utf8), comparison_change_text(&row->cells[i]),
			comparison_verdict_text(&row->cells[i]) };

		for (size_t j = 0; j < sizeof texts / sizeof *texts; j++) {
			if (j == 0 || i > 0)
				table_add_cell(t, texts[j]);
			free(texts[j]);
		}
	}
}

char *
comparison_text(const struct comparison *c, bool utf8, size_t width)
{
	struct table *t = table_new(utf8);
	char *notes = comparison_notes(c), *rows, *text, *rest;
	size_t size;
	bool cut;
	FILE *f = open_text(&text, &size);

	table_add_column(t, "job", TABLE_LEFT | TABLE_CUT_MIDDLE);
	for (size_t i = 0; i < c->num_searches; i++) {
		table_add_column(t, c->searches[i].output_dir, TABLE_LEFT | TABLE_CUT_HEADER);
		if (i == 0)
			continue;
		table_add_column(t, "change", TABLE_RIGHT);
		table_add_column(t, "verdict", TABLE_LEFT | TABLE_CUT_END);
	}
	for (size_t i = 0; i < c->num_rows; i++)
		add_row(t, c, &c->rows[i], utf8);
	rows = table_text(t, width, &cut);
	fputs(rows, f);
	for (char *line = strtok_r(notes, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char *harmless = table_harmless(line, utf8);

		fprintf(f, "%s\n", harmless);
		free(harmless);
	}
	close_text(f);
	free(rows);
	free(notes);
	table_free(t);
	return text;
}

static void
write_number(FILE *f, double value, bool is_there)
{
	char text[NUMBER_TEXT_MAX];

	cell_write(f, is_there && isfinite(value) ? number_repr(value, text) : "", ',');
}

/* The row's settings that differ here from the first search: {"name": [first, here]} (to be freed); "" for none. */
static char *
changes_json(const struct comparison_row *row, size_t search)
{
	struct json_object *changes = json_object_new_object();
	char *text;

	json_object_object_foreach(row->differences, name, values) {
		struct json_object *pair[] = { json_object_array_get_idx(values, 0), json_object_array_get_idx(values, search) };
		struct json_object *both = json_object_new_array();
		char *first = json_canonical(pair[0]), *here = json_canonical(pair[1]);

		for (size_t i = 0; i < 2; i++)
			json_object_array_add(both, json_object_get(pair[i]));
		if (strcmp(first, here) != 0 && row->cells[0].summary && row->cells[search].summary)
			json_object_object_add(changes, name, both);
		else
			json_object_put(both);
		free(first);
		free(here);
	}
	text = json_object_object_length(changes) > 0 ? json_canonical(changes) : memory_string("");
	json_object_put(changes);
	return text;
}

static const char *
verdict_word(const struct comparison_cell *cell)
{
	static const char *const words[] = { [COMPARISON_NONE] = "", [COMPARISON_WITHIN] = "within",
		[COMPARISON_HIGHER] = "higher", [COMPARISON_LOWER] = "lower", [COMPARISON_NEW] = "new",
		[COMPARISON_GONE] = "gone", [COMPARISON_ERROR] = "error" };

	return words[cell->verdict];
}

static void
write_cell(FILE *f, const struct comparison *c, const struct comparison_row *row, size_t search)
{
	const struct comparison_cell *cell = &row->cells[search], *named = cell;
	char *changes = changes_json(row, search);
	struct json_object *members;

	for (size_t i = 0; !named->summary; i++)
		named = &row->cells[i];
	members = named->summary->members;
	cell_write(f, json_get_text(members, "job_name", ""), ',');
	cell_write(f, cell->summary ? json_get_text(members, "job_key", "") : "", ',');
	cell_write(f, c->searches[search].output_dir, ',');
	write_number(f, cell->best, cell->best > 0);
	write_number(f, cell->failing, cell->failing > 0);
	write_number(f, cell->low, cell->has_interval && cell->low > 0);
	write_number(f, cell->high, cell->has_interval);
	write_number(f, cell->change, true);
	cell_write(f, verdict_word(cell), ',');
	cell_write(f, !cell->both_intervals ? "" : cell->is_certain ? "true" : "false", ',');
	cell_write(f, cell->error ? cell->error : "", ',');
	cell_write(f, changes, '\n');
	free(changes);
}

char *
comparison_csv(const struct comparison *c)
{
	char *text;
	size_t size;
	FILE *f = open_text(&text, &size);

	fputs("job_name,job_key,output_dir,max_qps_under_sla,lowest_failing_qps,interval_low,interval_high,change_pct,verdict,"
	    "certain,error,settings_changed\n", f);
	for (size_t i = 0; i < c->num_rows; i++)
		for (size_t j = 0; j < c->num_searches; j++)
			write_cell(f, c, &c->rows[i], j);
	close_text(f);
	return text;
}
