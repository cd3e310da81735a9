/* The part of a page that is about one job: its answer, its plots, its trials, its configuration. */
#ifndef CHAPTER_H
#define CHAPTER_H

#include <stddef.h>
#include <stdio.h>

#include "rule.h"
#include "summary.h"

struct chapter {
	size_t number;                /* of the job, from 1 */
	const struct summary *summary;
	const struct rules *rules;
	const char *output_dir;       /* where the files are, for this process, */
	const char *link;             /* and for the page: a path relative to it */
	const char *directory_name;   /* of the job, below jobs */
};

/* Writes the chapter in HTML. What cannot be read of the trials is said in it. */
void chapter_print(const struct chapter *chapter, FILE *f);

/* The answer as text: "11.5", "≥ 32", or why there is none, in two words (to be freed). */
char *chapter_answer(const struct summary *summary);

#endif
