/* An axis of a plot: what it covers, linear or logarithmic, and its ticks. */
#ifndef AXIS_H
#define AXIS_H

#include <stdbool.h>
#include <stddef.h>

enum { AXIS_TICKS_MAX = 16, AXIS_TICK_TEXT_MAX = 32 };

enum axis_kind {
	AXIS_VALUES,  /* from 0, or logarithmic where values above 0 span a factor of 20 and none is below 0 */
	AXIS_LINEAR,  /* from 0 */
	AXIS_WHOLE,   /* the same, with ticks at whole numbers only */
	AXIS_COUNT,   /* 1, 2, 3 ... */
	AXIS_QUANTILE /* 0.5 to 0.999 at the most, each nine as wide as the one before: by log(1 - q) */
};

struct axis { /* zeroed at first, but for label and kind */
	const char *label;      /* with the unit */
	enum axis_kind kind;
	bool is_used;           /* a value was included */
	double low, high;       /* of the values */
	double lowest_positive; /* 0: none */
	bool is_log, has_zero;  /* has_zero: a logarithmic one that has 0 too, at its very start */
	double from, to;        /* what the axis covers, but for that 0 */
	double ticks[AXIS_TICKS_MAX];
	size_t num_ticks;
};

/* Makes room for VALUE; what is not finite is left out. */
void axis_include(struct axis *axis, double value);

/* Sets what the axis covers, and its ticks, when all values are included. */
void axis_settle(struct axis *axis);

/* Where VALUE is, from 0 (start) to 1 (end); what the axis does not cover is at its ends. */
double axis_place(const struct axis *axis, double value);

/* The text of a tick. Returns TEXT. */
char *axis_tick_text(const struct axis *axis, size_t tick, char text[AXIS_TICK_TEXT_MAX]);

#endif
