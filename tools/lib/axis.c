#include "axis.h"

#include <math.h>
#include <stdio.h>

#define LOG_FROM 20.0  /* highest / lowest */
#define ZERO_SHARE 0.1 /* of the axis between 0 and what is above it */
#define LAST_QUANTILE 0.999

enum { STEPS = 5 };

void
axis_include(struct axis *a, double value)
{
	if (!isfinite(value))
		return;
	a->low = a->is_used ? fmin(a->low, value) : value;
	a->high = a->is_used ? fmax(a->high, value) : value;
	if (value > 0)
		a->lowest_positive = a->lowest_positive > 0 ? fmin(a->lowest_positive, value) : value;
	a->is_used = true;
}

static void
add_tick(struct axis *a, double tick)
{
	if (a->num_ticks < AXIS_TICKS_MAX)
		a->ticks[a->num_ticks++] = tick;
}

/* The step of 1, 2 or 5 times a power of ten with which RANGE has about STEPS ticks. */
static double
step_for(double range)
{
	double raw = range / STEPS, power = pow(10, floor(log10(raw)));
	double factor = raw / power;

	return power * (factor <= 1.001 ? 1 : factor <= 2.001 ? 2 : factor <= 5.001 ? 5 : 10);
}

static void
settle_linear(struct axis *a)
{
	double low = fmin(a->low, 0), high = fmax(a->high, 0), step;

	if (high <= low)
		high = low + 1;
	step = step_for(high - low);
	if (a->kind == AXIS_WHOLE)
		step = fmax(step, 1);
	a->from = step * floor(low / step + 1e-9);
	a->to = step * ceil(high / step - 1e-9);
	for (double i = round(a->from / step); i * step <= a->to + step / 2; i++)
		add_tick(a, i * step);
}

/* The numbers 1, 2 and 5 times a power of ten, counted: 0 is 1, 1 is 2, 2 is 5, 3 is 10. */
static double
round_number(double i)
{
	static const double factors[] = { 1, 2, 5 };
	double power = floor(i / 3);

	return factors[(int)(i - 3 * power)] * pow(10, power);
}

static void
settle_log(struct axis *a)
{
	double first = 3 * floor(log10(a->lowest_positive)), last, stride;

	while (round_number(first + 1) <= a->lowest_positive * 1.0000001)
		first++;
	for (last = first + 1; round_number(last) < a->high * 0.9999999;)
		last++;
	a->is_log = true;
	a->has_zero = a->low == 0;
	a->from = round_number(first);
	a->to = round_number(last);
	if (a->has_zero)
		add_tick(a, 0);
	stride = last - first <= 6 ? 1 : 3 * ceil((last - first) / 3 / 7);
	for (double i = stride > 1 ? 3 * ceil(first / 3) : first; i <= last; i += stride)
		add_tick(a, round_number(i));
}

static void
settle_count(struct axis *a)
{
	double step = fmax(1, step_for(fmax(a->high, 1)));

	a->from = 0.5;
	a->to = fmax(a->high, 1) + 0.5;
	for (double tick = step; tick < a->to; tick += step)
		add_tick(a, tick);
}

static void
settle_quantile(struct axis *a)
{
	static const double ticks[] = { 0.5, 0.75, 0.9, 0.95, 0.99, LAST_QUANTILE };

	a->from = a->to = ticks[0];
	for (size_t i = 0; i < sizeof ticks / sizeof *ticks && (i < 2 || a->to < a->high); i++) {
		a->to = ticks[i];
		add_tick(a, ticks[i]);
	}
}

void
axis_settle(struct axis *a)
{
	a->num_ticks = 0;
	if (a->kind == AXIS_COUNT)
		settle_count(a);
	else if (a->kind == AXIS_QUANTILE)
		settle_quantile(a);
	else if (a->kind == AXIS_VALUES && a->low >= 0 && a->lowest_positive > 0 && a->high / a->lowest_positive >= LOG_FROM)
		settle_log(a);
	else
		settle_linear(a);
}

static double
share(double from, double to, double value)
{
	double place = (value - from) / (to - from);

	return place > 0 ? fmin(place, 1) : 0;
}

double
axis_place(const struct axis *a, double value)
{
	double start = a->has_zero ? ZERO_SHARE : 0;

	if (a->kind == AXIS_QUANTILE)
		return share(-log(1 - a->from), -log(1 - a->to), -log(1 - fmin(value, LAST_QUANTILE)));
	if (!a->is_log)
		return share(a->from, a->to, value);
	if (value <= 0)
		return 0;
	return start + (1 - start) * share(log(a->from), log(a->to), log(value));
}

char *
axis_tick_text(const struct axis *a, size_t tick, char text[AXIS_TICK_TEXT_MAX])
{
	double value = a->ticks[tick];

	if (fabs(value) >= 1e4 && fabs(value) < 1e6 && fmod(value, 100) == 0)
		snprintf(text, AXIS_TICK_TEXT_MAX, "%gk", value / 1000);
	else
		snprintf(text, AXIS_TICK_TEXT_MAX, "%.6g", value);
	return text;
}
