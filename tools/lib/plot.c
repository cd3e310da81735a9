#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "boxes.h"
#include "markup.h"
#include "memory.h"

/* In units of the SVG's own, pixels where it is not scaled. */
enum { WIDTH = 440, HEIGHT = 280, LEFT = 46, RIGHT = 12, TOP = 26, BOTTOM = 38, STRIP = 30, LABEL_HEIGHT = 11, DIGIT_WIDTH = 6,
	LETTER_WIDTH = 7 };

struct point {
	enum plot_style style;
	double x, y;
	bool is_corner;
	char *label, *text;
};

struct limit {
	double x, y;
	char *text;
};

struct plot {
	char *id, *title, *description;
	struct axis x, y;
	struct point *points;
	size_t num_points, num_shown;
	struct limit *limits;
	size_t num_limits;
	char *names[PLOT_STYLES];
	bool has_strip; /* for points without a value */
};

static const struct {
	const char *class, *path;
} styles[] = {
	[PLOT_PASSED] = { "passed", "M4.5,0A4.5,4.5,0,1,1,-4.5,0A4.5,4.5,0,1,1,4.5,0Z" },
	[PLOT_FAILED] = { "failed", "M-4,-4L4,4M4,-4L-4,4" },
	[PLOT_LATE] = { "late", "M-4,-4H4V4H-4Z" },
	[PLOT_LIMITED] = { "limited", "M0,-5.5L5.5,0L0,5.5L-5.5,0Z" },
	[PLOT_UNJUDGED] = { "unjudged", "M4.5,0A4.5,4.5,0,1,1,-4.5,0A4.5,4.5,0,1,1,4.5,0Z" },
	[PLOT_CURVE_A] = { "curve-a", "M4,0A4,4,0,1,1,-4,0A4,4,0,1,1,4,0Z" },
	[PLOT_CURVE_B] = { "curve-b", "M-3.5,-3.5L3.5,3.5M3.5,-3.5L-3.5,3.5" },
	[PLOT_CURVE_C] = { "curve-c", "M0,-4.6L4.4,3.2H-4.4Z" },
	[PLOT_CURVE_D] = { "curve-d", "M4,0A4,4,0,1,1,-4,0A4,4,0,1,1,4,0Z" },
	[PLOT_STEPS] = { "steps", "" },
};

struct plot *
plot_new(const char *id, const char *title, const char *description)
{
	struct plot *p = memory_alloc(1, sizeof *p);

	p->id = memory_string(id);
	p->title = memory_string(title);
	p->description = memory_string(description);
	return p;
}

void
plot_free(struct plot *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->num_points; i++) {
		free(p->points[i].label);
		free(p->points[i].text);
	}
	for (size_t i = 0; i < p->num_limits; i++)
		free(p->limits[i].text);
	for (int i = 0; i < PLOT_STYLES; i++)
		free(p->names[i]);
	free(p->limits);
	free(p->points);
	free(p->description);
	free(p->title);
	free(p->id);
	free(p);
}

void
plot_axes(struct plot *p, const char *x_label, enum axis_kind x_kind, const char *y_label, enum axis_kind y_kind)
{
	p->x = (struct axis){ .label = x_label, .kind = x_kind };
	p->y = (struct axis){ .label = y_label, .kind = y_kind };
}

static struct point *
append(struct plot *p, enum plot_style style, double x, double y)
{
	if ((p->num_points & (p->num_points - 1)) == 0)
		p->points = memory_resize(p->points, p->num_points ? 2 * p->num_points : 1, sizeof *p->points);
	p->points[p->num_points] = (struct point){ .style = style, .x = x, .y = y };
	axis_include(&p->x, x);
	axis_include(&p->y, y);
	return &p->points[p->num_points++];
}

void
plot_add(struct plot *p, enum plot_style style, double x, double y, const char *label, const char *text)
{
	struct point *point = append(p, style, x, y);

	point->label = label ? memory_string(label) : NULL;
	point->text = memory_string(text);
	p->num_shown++;
	p->has_strip = p->has_strip || !isfinite(y);
}

void
plot_add_corner(struct plot *p, enum plot_style style, double x, double y)
{
	append(p, style, x, y)->is_corner = true;
}

void
plot_limit(struct plot *p, double x, double y, const char *text)
{
	p->limits = memory_resize(p->limits, p->num_limits + 1, sizeof *p->limits);
	p->limits[p->num_limits++] = (struct limit){ x, y, memory_string(text) };
	axis_include(&p->x, x);
	axis_include(&p->y, y);
}

void
plot_name(struct plot *p, enum plot_style style, const char *name)
{
	free(p->names[style]);
	p->names[style] = memory_string(name);
}

size_t
plot_size(const struct plot *p)
{
	return p->num_shown;
}

static double
place_x(const struct plot *p, double x)
{
	return LEFT + axis_place(&p->x, x) * (WIDTH - LEFT - RIGHT);
}

static double
place_y(const struct plot *p, double y)
{
	double top = TOP + (p->has_strip ? STRIP : 0);

	if (!isfinite(y))
		return TOP + STRIP / 2;
	return HEIGHT - BOTTOM - axis_place(&p->y, y) * (HEIGHT - BOTTOM - top);
}

static void
print_x_axis(const struct plot *p, FILE *f)
{
	double last_end = 0;

	for (size_t i = 0; i < p->x.num_ticks; i++) {
		char text[AXIS_TICK_TEXT_MAX];
		double x = place_x(p, p->x.ticks[i]), half;

		axis_tick_text(&p->x, i, text);
		half = (double)strlen(text) * DIGIT_WIDTH / 2.0;
		fprintf(f, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", x, x, TOP, HEIGHT - BOTTOM);
		if (x - half < last_end + 4)
			continue;
		last_end = x + half;
		fprintf(f, "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
		    fmin(x, WIDTH - half), HEIGHT - BOTTOM + 15, text);
	}
	fprintf(f, "<text class=\"axis\" x=\"%d\" y=\"%d\" text-anchor=\"end\">", WIDTH - RIGHT, HEIGHT - 5);
	markup_text(f, p->x.label);
	fputs(p->x.is_log ? ", log scale</text>\n" : "</text>\n", f);
}

static void
print_y_axis(const struct plot *p, FILE *f)
{
	for (size_t i = 0; i < p->y.num_ticks; i++) {
		char text[AXIS_TICK_TEXT_MAX];
		double y = place_y(p, p->y.ticks[i]);

		fprintf(f, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
		    "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
		    LEFT, WIDTH - RIGHT, y, y, LEFT - 6, y + 4, axis_tick_text(&p->y, i, text));
	}
	if (p->has_strip)
		fprintf(f, "<text class=\"tick\" x=\"%d\" y=\"%d\" text-anchor=\"end\">none</text>\n", LEFT - 6, TOP + STRIP / 2 + 4);
	fprintf(f, "<text class=\"axis\" x=\"2\" y=\"14\">");
	markup_text(f, p->y.label);
	fputs(p->y.is_log ? ", log scale</text>\n" : "</text>\n", f);
	fprintf(f, "<path class=\"frame\" d=\"M%d,%dV%dH%d\"/>\n", LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT);
}

static void
print_line(const struct plot *p, enum plot_style style, FILE *f)
{
	bool begun = false;

	for (size_t i = 0; i < p->num_points; i++) {
		const struct point *point = &p->points[i];

		if (point->style != style || !isfinite(point->y))
			continue;
		if (!begun)
			fprintf(f, "<path class=\"line %s\" d=\"M", styles[style].class);
		fprintf(f, begun ? " %.1f,%.1f" : "%.1f,%.1f", place_x(p, point->x), place_y(p, point->y));
		begun = true;
	}
	if (begun)
		fputs("\"/>\n", f);
}

/* What is taken at first: the points. */
static struct boxes
boxes_of(const struct plot *p)
{
	struct boxes boxes = { .left = LEFT, .right = WIDTH, .top = TOP - 6, .bottom = HEIGHT - BOTTOM };

	for (size_t i = 0; i < p->num_points; i++)
		if (!p->points[i].is_corner)
			boxes_take(&boxes, (struct box){ place_x(p, p->points[i].x), place_y(p, p->points[i].y), 5, 5 });
	return boxes;
}

/* Writes TEXT at the place, which is taken then. */
static void
print_text(const char *class, const char *text, struct box box, struct boxes *boxes, FILE *f)
{
	boxes_take(boxes, box);
	fprintf(f, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", class, box.x, box.y + 4);
	markup_text(f, text);
	fputs("</text>\n", f);
}

/* The text of a limit stands at one of its ends, above it or below. */
static void
print_limit_text(const struct limit *limit, double y, struct boxes *boxes, FILE *f)
{
	double half = (double)strlen(limit->text) * LETTER_WIDTH / 2.0;
	struct box box = { 0, 0, half, LABEL_HEIGHT / 2.0 };

	for (int i = 3; i >= 0; i--) { /* the last place is taken whatever is there */
		box.x = (i & 1) == isfinite(limit->x) ? LEFT + 6 + half : WIDTH - RIGHT - 4 - half;
		box.y = i & 2 ? y - 9 : y + 10;
		if (boxes_are_free(boxes, &box))
			break;
	}
	print_text("limit-text", limit->text, box, boxes, f);
}

static void
print_limits(const struct plot *p, struct boxes *boxes, FILE *f)
{
	for (size_t i = 0; i < p->num_limits; i++) {
		const struct limit *limit = &p->limits[i];
		double y = place_y(p, limit->y);

		fprintf(f, "<line class=\"limit\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT, WIDTH - RIGHT, y, y);
		if (isfinite(limit->x))
			fprintf(f, "<path class=\"limit-mark\" d=\"M%.1f,%.1fm-5,-6h10l-5,6z\"/>", place_x(p, limit->x), y);
		print_limit_text(limit, y, boxes, f);
	}
}

/* Labels stand above, to the right, below or to the left of their points; where all are taken, not at all. */
static void
print_labels(const struct plot *p, struct boxes *boxes, FILE *f)
{
	static const double sides[][2] = { { 0, -1 }, { 1, 0 }, { 0, 1 }, { -1, 0 }, { 1, -1 }, { -1, -1 }, { 1, 1 }, { -1, 1 } };

	for (size_t i = 0; i < p->num_points; i++) {
		const struct point *point = &p->points[i];

		for (size_t s = 0; point->label && s < sizeof sides / sizeof *sides; s++) {
			struct box box = { 0, 0, (double)strlen(point->label) * DIGIT_WIDTH / 2.0, LABEL_HEIGHT / 2.0 };

			box.x = place_x(p, point->x) + sides[s][0] * (6 + box.half_width);
			box.y = place_y(p, point->y) + sides[s][1] * (6 + box.half_height);
			if (!boxes_are_free(boxes, &box))
				continue;
			print_text("label", point->label, box, boxes, f);
			break;
		}
	}
}

static void
print_points(const struct plot *p, FILE *f)
{
	for (size_t i = 0; i < p->num_points; i++) {
		const struct point *point = &p->points[i];

		if (point->is_corner)
			continue;
		fprintf(f, "<path class=\"point %s\" transform=\"translate(%.1f,%.1f)\" d=\"%s\"><title>",
		    styles[point->style].class, place_x(p, point->x), place_y(p, point->y), styles[point->style].path);
		markup_text(f, point->text);
		fputs("</title></path>\n", f);
	}
}

static void
print_legend(const struct plot *p, FILE *f)
{
	fputs("<p class=\"legend\">", f);
	for (int i = 0; i < PLOT_STYLES; i++) {
		if (!p->names[i])
			continue;
		fprintf(f, "<span><svg class=\"key\" viewBox=\"-12 -7 24 14\" aria-hidden=\"true\">");
		if (i >= PLOT_CURVE_A)
			fprintf(f, "<path class=\"line %s\" d=\"M-12,0H12\"/>", styles[i].class);
		fprintf(f, "<path class=\"mark %s\" d=\"%s\"/></svg>", styles[i].class, styles[i].path);
		markup_text(f, p->names[i]);
		fputs("</span>\n", f);
	}
	fputs("</p>\n", f);
}

void
plot_print(struct plot *p, FILE *f)
{
	struct boxes boxes;

	axis_settle(&p->x);
	axis_settle(&p->y);
	boxes = boxes_of(p);
	fputs("<figure class=\"plot\"><figcaption>", f);
	markup_text(f, p->title);
	fprintf(f, "</figcaption>\n<svg id=\"%s\" viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"%s-t %s-d\">\n<title id=\"%s-t\">",
	    p->id, WIDTH, HEIGHT, p->id, p->id, p->id);
	markup_text(f, p->title);
	fprintf(f, "</title>\n<desc id=\"%s-d\">", p->id);
	markup_text(f, p->description);
	fputs("</desc>\n", f);
	print_x_axis(p, f);
	print_y_axis(p, f);
	print_limits(p, &boxes, f);
	for (int i = PLOT_CURVE_A; i < PLOT_STYLES; i++)
		print_line(p, (enum plot_style)i, f);
	print_points(p, f);
	print_labels(p, &boxes, f);
	boxes_free(&boxes);
	fputs("</svg>\n", f);
	print_legend(p, f);
	fputs("</figure>\n", f);
}
