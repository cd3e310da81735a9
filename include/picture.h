/* The plots of a job: its search, its metrics against the rate, its requests and queues around the answer. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdio.h>

#include "attempt.h"
#include "rule.h"

struct pictures {
	size_t number;             /* of the job in the page, for the plots' ids */
	const char *output_dir;
	const struct rules *rules;
	const struct attempts *attempts;
};

/* Writes them as HTML figures, and a paragraph for each trial whose files cannot be read. */
void pictures_print(const struct pictures *pictures, FILE *f);

#endif
