/*
 * Several searches of the same jobs side by side. Jobs belong together by their names; where a search has a name more
 * than once, by their keys too. The first search is what the others are compared with.
 */
#ifndef COMPARISON_H
#define COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "results.h"

struct json_object;

enum comparison_verdict {
	COMPARISON_NONE,   /* nothing to compare: the first search, or there is no answer on one side */
	COMPARISON_WITHIN, /* the brackets overlap: a difference of less than the searches' own steps */
	COMPARISON_HIGHER, COMPARISON_LOWER, /* the brackets are apart */
	COMPARISON_NEW,    /* the first search does not have the job */
	COMPARISON_GONE,   /* it does, this one does not */
	COMPARISON_ERROR   /* the job has an error here, where the first search has none */
};

/* One job in one search. Its bracket is [best, failing): the capacity is not below one, and below the other. */
struct comparison_cell {
	const struct summary *summary;  /* NULL: the search does not have the job; the next are 0 */
	const char *error;              /* NULL: none */
	double best;                    /* requests per second, the answer; 0: none */
	double failing;                 /* the lowest rate above that failed its SLA; 0: none */
	bool is_unjudged;               /* there is no SLA */
	bool has_interval;              /* the summary has a capacity_interval: */
	double low, high;               /* the highest rate that certainly passes, 0: none; the lowest that certainly fails, INFINITY: none */
	enum comparison_verdict verdict;
	double change;                  /* of best against the first search, in per cent; NAN: one side has no answer at all */
	bool both_intervals, is_certain; /* both have an interval, and they are apart */
};

struct comparison_row {
	char *name;                     /* of the job, with its key where names repeat */
	struct comparison_cell *cells;  /* one for each search */
	struct json_object *differences; /* settings that differ: name to a list of values, as setup_differences() */
};

struct comparison {
	struct results *searches;       /* with their faults */
	size_t num_searches;
	struct comparison_row *rows;    /* in the order of the first search, then what others add */
	size_t num_rows;
};

/* Reads and compares the searches in NUM output DIRECTORIES. Errors are those of results_read(). Returns 0 or -1; then nothing is to be freed. */
int comparison_read(char *const *directories, size_t num, struct comparison *c, struct error *e);
void comparison_free(struct comparison *c);

/*
 * A line for each job that got worse by more than PERCENT of the first search's capacity: it is lower, or there is no answer (an
 * error, nothing passes, gone) where the first has one. "" for none (to be freed).
 */
char *comparison_losses(const struct comparison *c, double percent, bool utf8);

/* A cell in words, UTF8 or ASCII: "4 (8 fails)", "≥ 32"; "+12.5 %", ""; "higher", "lower, not certain" (to be freed). */
char *comparison_capacity_text(const struct comparison_cell *cell, bool utf8);
char *comparison_change_text(const struct comparison_cell *cell);
char *comparison_verdict_text(const struct comparison_cell *cell);

/* Text for people after a table: settings that differ (once where they do in all jobs), errors, simulations; a line each (to be freed). */
char *comparison_notes(const struct comparison *c);

/* The whole: a table in text (UTF8 and WIDTH as in table.h) with the notes, and CSV with a row for each job in each search (to be freed). */
char *comparison_text(const struct comparison *c, bool utf8, size_t width);
char *comparison_csv(const struct comparison *c);

/* The same as one HTML file like that of page.h. Returns 0 or -1 with EX_NOINPUT or EX_IOERR; write errors stay in F. */
int comparison_print_page(const struct comparison *c, FILE *f, struct error *e);

#endif
