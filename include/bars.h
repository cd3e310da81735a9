/*
 * A bar per job as SVG: how far it came, and a whisker from there to the lowest rate that fails. The bars are as wide as the page, whatever
 * its width; the text keeps its size. Where rates span decades the scale is logarithmic, and dots on stems stand for bars.
 */
#ifndef BARS_H
#define BARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct bar {
	char *name, *text;      /* the job's, and its answer's; to be freed with bars_free() */
	double best, failing;   /* requests per second; 0: none */
	bool is_open;           /* it can do at least as much: no failing rate bounds it */
};

/* Writes COUNT bars as an HTML figure. */
void bars_print(const struct bar *bars, size_t count, FILE *f);
void bars_free(struct bar *bars, size_t count);

#endif
