/*
 * A plot as SVG: points in shapes and lines over two axes, with a title and a description; text and marks, no script. Its colours
 * come from the page's style sheet by the classes of the styles; without it all is black and still to be told apart.
 */
#ifndef PLOT_H
#define PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "axis.h"

enum plot_style { /* shape, and class */
	PLOT_PASSED,   /* a disc, "passed" */
	PLOT_FAILED,   /* a cross, "failed" */
	PLOT_LATE,     /* a square, "late" */
	PLOT_LIMITED,  /* a diamond, "limited" */
	PLOT_UNJUDGED, /* a ring, "unjudged" */
	PLOT_CURVE_A,  /* points with a line: discs, crosses, triangles, rings; "curve-a" to "curve-d" */
	PLOT_CURVE_B,
	PLOT_CURVE_C,
	PLOT_CURVE_D,
	PLOT_STEPS,    /* a line without points, "steps" */
	PLOT_STYLES
};

struct plot;

/* An empty plot; ID is unique in the page. Axis labels have to live as long as the plot. */
struct plot *plot_new(const char *id, const char *title, const char *description);
void plot_free(struct plot *plot);
void plot_axes(struct plot *plot, const char *x_label, enum axis_kind x_kind, const char *y_label, enum axis_kind y_kind);

/*
 * Adds a point (to the line of its style, too); TEXT is shown for it on demand, LABEL (NULL: none) beside it where there is room. A Y
 * that is not finite is shown above all others, as none.
 */
void plot_add(struct plot *plot, enum plot_style style, double x, double y, const char *label, const char *text);

/* Adds a corner to the line of a style, without a point. */
void plot_add_corner(struct plot *plot, enum plot_style style, double x, double y);

/* A line across the plot at Y, called TEXT; and a mark of it at X, if that is not NAN. */
void plot_limit(struct plot *plot, double x, double y, const char *text);

/* Names STYLE in the legend. */
void plot_name(struct plot *plot, enum plot_style style, const char *name);

/* How many points there are. */
size_t plot_size(const struct plot *plot);

/* Writes the plot as an HTML figure: its title, the SVG, the legend. */
void plot_print(struct plot *plot, FILE *f);

#endif
