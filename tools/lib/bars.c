#include "bars.h"

#include <math.h>
#include <stdlib.h>

#include "axis.h"
#include "markup.h"
#include "memory.h"
#include "utf8.h"

enum { ROW = 44, TOP = 6, NAME_SHOWN_MAX = 22 };

#define FIRST_PERCENT 0.5 /* of the width, where the axis begins, */
#define LAST_PERCENT 97.0 /* and ends */

void
bars_free(struct bar *bars, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(bars[i].name);
		free(bars[i].text);
	}
	free(bars);
}

static double
percent(const struct axis *axis, double qps)
{
	return FIRST_PERCENT + (LAST_PERCENT - FIRST_PERCENT) * axis_place(axis, qps);
}

/* The first characters of NAME. */
static void
print_short(const char *name, FILE *f)
{
	const char *end = name;
	size_t n = 0;
	char *start;

	while (*end && n++ < NAME_SHOWN_MAX)
		utf8_decode(&end);
	start = memory_format("%.*s%s", (int)(end - name), name, *end ? "…" : "");
	markup_text(f, start);
	free(start);
}

static void
print_whisker(const struct axis *axis, const struct bar *bar, int y, FILE *f)
{
	double best = percent(axis, bar->best), failing = percent(axis, bar->failing);

	if (bar->failing > 0) {
		fprintf(f, "<line class=\"whisker\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\"/>"
		    "<line class=\"whisker\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\"/>\n",
		    best, failing, y, y, failing, failing, y - 9, y + 9);
	} else if (bar->is_open) {
		fprintf(f, "<svg x=\"%.2f%%\" y=\"%d\" overflow=\"visible\"><path class=\"open-end\" d=\"M3,-6L10,0L3,6\"/></svg>\n",
		    best, y);
	}
}

static void
print_bar(const struct axis *axis, const struct bar *bar, int top, FILE *f)
{
	double from = percent(axis, axis->is_log ? axis->from : 0), best = percent(axis, bar->best);
	int middle = top + 28;

	fprintf(f, "<g class=\"bar\"><title>");
	markup_text(f, bar->name);
	fputs(": ", f);
	markup_text(f, bar->text);
	fprintf(f, "</title>\n<text class=\"bar-name\" x=\"%.2f%%\" y=\"%d\">", FIRST_PERCENT, top + 14);
	print_short(bar->name, f);
	fprintf(f, "</text><text class=\"bar-text\" x=\"%.0f%%\" y=\"%d\" text-anchor=\"end\">", LAST_PERCENT, top + 14);
	markup_text(f, bar->text);
	fputs("</text>\n", f);
	if (bar->best > 0 && axis->is_log)
		fprintf(f, "<line class=\"stem\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\"/>"
		    "<circle class=\"dot\" cx=\"%.2f%%\" cy=\"%d\" r=\"5\"/>\n", from, best, middle, middle, best, middle);
	else if (bar->best > 0)
		fprintf(f, "<rect class=\"filled\" x=\"%.2f%%\" width=\"%.2f%%\" y=\"%d\" height=\"14\"/>\n", from, best - from, middle - 7);
	else
		fprintf(f, "<line class=\"nothing\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\"/>\n", from, from, middle - 7, middle + 7);
	print_whisker(axis, bar, middle, f);
	fputs("</g>\n", f);
}

static void
print_ticks(const struct axis *axis, int bottom, FILE *f)
{
	for (size_t i = 0; i < axis->num_ticks; i++) {
		double x = percent(axis, axis->ticks[i]);
		char text[AXIS_TICK_TEXT_MAX];

		fprintf(f, "<line class=\"grid\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\"/>"
		    "<text class=\"tick\" x=\"%.2f%%\" y=\"%d\" text-anchor=\"%s\">%s</text>\n", x, x, TOP, bottom, x, bottom + 16,
		    i == 0 ? "start" : "middle", axis_tick_text(axis, i, text));
	}
	fprintf(f, "<text class=\"axis\" x=\"%.0f%%\" y=\"%d\" text-anchor=\"end\">requests per second%s</text>\n", LAST_PERCENT,
	    bottom + 34, axis->is_log ? ", log scale" : "");
}

void
bars_print(const struct bar *bars, size_t count, FILE *f)
{
	struct axis axis = { .kind = AXIS_VALUES };
	int bottom = TOP + (int)count * ROW;

	for (size_t i = 0; i < count; i++) {
		if (bars[i].best > 0)
			axis_include(&axis, bars[i].best);
		if (bars[i].failing > 0)
			axis_include(&axis, bars[i].failing);
	}
	axis_settle(&axis);
	fprintf(f, "<figure class=\"bars\"><figcaption>The highest rate of each job that meets the SLA</figcaption>\n"
	    "<svg id=\"jobs-chart\" width=\"100%%\" height=\"%d\" role=\"img\" aria-labelledby=\"jobs-chart-t jobs-chart-d\">\n"
	    "<title id=\"jobs-chart-t\">The highest rate of each job that meets the SLA</title>\n"
	    "<desc id=\"jobs-chart-d\">A bar per job, in requests per second, up to its answer; the whisker ends at the lowest rate "
	    "that fails. The table has the same numbers.</desc>\n", bottom + 40);
	print_ticks(&axis, bottom, f);
	for (size_t i = 0; i < count; i++)
		print_bar(&axis, &bars[i], TOP + (int)i * ROW, f);
	fputs("</svg>\n<p class=\"legend\"><span>a whisker ends at the lowest rate that fails</span>"
	    "<span>&#8250; no rate that fails was found: it may do more</span></p>\n</figure>\n", f);
}
