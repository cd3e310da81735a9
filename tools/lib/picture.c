#include "picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backlog.h"
#include "digits.h"
#include "distribution.h"
#include "json.h"
#include "markup.h"
#include "memory.h"
#include "metric.h"
#include "plot.h"
#include "rate.h"

enum { PICKED_MAX = 4 };

/* What is being drawn: the request metrics, each once, and their distributions by attempt. */
struct drawing {
	const struct pictures *of;
	const char **metrics;
	double *worst;              /* of each metric, what a failed request counts as */
	size_t num_metrics;
	struct distribution **read; /* by attempt: of each metric; NULL: not read */
	size_t picked[PICKED_MAX], num_picked;
	FILE *f;
};

static const enum plot_style outcome_styles[] = { [ATTEMPT_PASSED] = PLOT_PASSED, [ATTEMPT_FAILED] = PLOT_FAILED,
	[ATTEMPT_TIMED_OUT] = PLOT_LATE, [ATTEMPT_LIMITED] = PLOT_LIMITED, [ATTEMPT_UNJUDGED] = PLOT_UNJUDGED };

static void
add_metric(struct drawing *d, const char *metric, double worst)
{
	for (size_t i = 0; i < d->num_metrics; i++)
		if (strcmp(d->metrics[i], metric) == 0)
			return;
	d->metrics = memory_resize(d->metrics, d->num_metrics + 1, sizeof *d->metrics);
	d->worst = memory_resize(d->worst, d->num_metrics + 1, sizeof *d->worst);
	d->metrics[d->num_metrics] = metric;
	d->worst[d->num_metrics++] = worst;
}

/* The metrics of the rules; where they have none that is in the requests, the common ones. */
static void
choose_metrics(struct drawing *d)
{
	const struct rules *rules = d->of->rules;

	for (size_t i = 0; i < rules->count; i++)
		if (strcmp(rules->list[i].metric, RULE_QUEUE_METRIC) != 0)
			add_metric(d, rules->list[i].metric, rule_worst(&rules->list[i]));
	if (d->num_metrics == 0)
		for (const char *const *name = metric_common; *name; name++)
			add_metric(d, *name, INFINITY);
}

static void
read_attempt(struct drawing *d, size_t index)
{
	const struct attempt *a = &d->of->attempts->list[index];
	char *path = memory_format("%s/%s/request_metrics.csv", d->of->output_dir, a->run_dir);
	struct error e = ERROR_NONE;
	char rate[RATE_TEXT_MAX];

	d->read[index] = memory_alloc(d->num_metrics, sizeof **d->read);
	if (access(path, F_OK) != 0 || distribution_read(path, d->metrics, d->worst, d->num_metrics,
	    a->num_failed > 0 ? a->num_failed : 0, d->read[index], &e) < 0) {
		free(d->read[index]);
		d->read[index] = NULL;
	}
	if (error_is_set(&e)) {
		fprintf(d->f, "<p class=\"note\">The requests at %s requests/s are not shown: ", rate_text(a->qps, rate));
		markup_text(d->f, e.text);
		fputs("</p>\n", d->f);
	}
	error_clear(&e);
	free(path);
}

static const char *
unit_label(const char *metric)
{
	const char *unit = metric_unit(metric);

	return strcmp(unit, "s") == 0 ? "seconds" : strcmp(unit, "requests") == 0 ? "requests waiting" : metric;
}

static void
name_outcomes(struct plot *plot, const struct attempts *attempts)
{
	for (size_t i = 0; i < attempts->num; i++)
		plot_name(plot, outcome_styles[attempts->list[i].outcome], attempt_outcome_text(attempts->list[i].outcome));
}

static void
print_search(const struct drawing *d)
{
	const struct attempts *attempts = d->of->attempts;
	char *id = memory_format("job-%zu-search", d->of->number), rate[RATE_TEXT_MAX];
	struct plot *plot = plot_new(id, "The search: the rate of each trial", "The rates in the order in which the search tried them.");

	plot_axes(plot, "trial", AXIS_COUNT, "requests per second", AXIS_VALUES);
	for (size_t i = 0; i < attempts->num; i++) {
		const struct attempt *a = &attempts->list[i];
		char *text = memory_format("trial %zu: %s requests/s, %s", i + 1, rate_text(a->qps, rate),
		    attempt_outcome_text(a->outcome));

		plot_add_corner(plot, PLOT_STEPS, (double)(i + 1), a->qps);
		plot_add(plot, outcome_styles[a->outcome], (double)(i + 1), a->qps, rate, text);
		free(text);
	}
	name_outcomes(plot, attempts);
	plot_print(plot, d->f);
	plot_free(plot);
	free(id);
}

/* A rule's metric against the rate; or, without a rule, the metric of that INDEX at a quantile. */
static void
print_against_rate(const struct drawing *d, const struct rule *rule, size_t index)
{
	const struct attempts *attempts = d->of->attempts;
	const char *metric = rule ? rule->metric : d->metrics[index];
	char *key = rule ? rule_key(rule) : memory_format("%s@q0.9", metric), value[DIGITS_TEXT_MAX], rate[RATE_TEXT_MAX], number[32];
	char *id = memory_format("job-%zu-%s-%zu", d->of->number, rule ? "rule" : "metric", index + 1), *text;
	char *title = memory_format("%s against the rate", key);
	struct plot *plot = plot_new(id, title, "Each trial at its rate; the numbers give the order of the search.");
	size_t num = 0;

	plot_axes(plot, "requests per second", AXIS_VALUES, unit_label(metric), AXIS_VALUES);
	for (size_t i = 0; i < attempts->num; i++) {
		const struct attempt *a = &attempts->list[i];
		double y = rule ? attempt_value(a, key) : d->read[i] ? d->read[i][index].values[DISTRIBUTION_Q90] : NAN;

		num += isfinite(y) != 0;
		snprintf(number, sizeof number, "%zu", i + 1);
		text = memory_format("trial %zu: %s requests/s, %s: %s", i + 1, rate_text(a->qps, rate), attempt_outcome_text(a->outcome),
		    isnan(y) ? "no value" : rule ? digits_text_beside(y, rule->threshold, value) : digits_text(y, value));
		plot_add(plot, outcome_styles[a->outcome], a->qps, y, number, text);
		free(text);
	}
	if (rule) {
		text = memory_format("SLA: %s %s", rule_op_sign(rule->op), digits_exact(rule->threshold, value));
		plot_limit(plot, NAN, rule->threshold, text);
		free(text);
	}
	name_outcomes(plot, attempts);
	if (num > 0 || rule)
		plot_print(plot, d->f);
	plot_free(plot);
	free(title);
	free(id);
	free(key);
}

/* The style of a picked trial's curve: crosses are for trials that did not pass, as in the other plots, as far as styles go. */
static enum plot_style
curve_style(const struct drawing *d, size_t pick)
{
	static const enum plot_style orders[2][PICKED_MAX] = {
		{ PLOT_CURVE_A, PLOT_CURVE_C, PLOT_CURVE_D, PLOT_CURVE_B },
		{ PLOT_CURVE_B, PLOT_CURVE_D, PLOT_CURVE_C, PLOT_CURVE_A },
	};
	bool is_used[PLOT_STYLES] = { false };
	enum plot_style style = PLOT_CURVE_A;

	for (size_t i = 0; i <= pick; i++) {
		enum attempt_outcome outcome = d->of->attempts->list[d->picked[i]].outcome;
		const enum plot_style *order = orders[outcome != ATTEMPT_PASSED && outcome != ATTEMPT_UNJUDGED];

		while (is_used[*order])
			order++;
		style = *order;
		is_used[style] = true;
	}
	return style;
}

/* "11.5 requests/s, passed" for the legend; the curve's style. */
static enum plot_style
name_curve(const struct drawing *d, size_t pick, struct plot *plot)
{
	const struct attempt *a = &d->of->attempts->list[d->picked[pick]];
	enum plot_style style = curve_style(d, pick);
	char rate[RATE_TEXT_MAX], *name = memory_format("%s/s %s", rate_text(a->qps, rate), attempt_outcome_text(a->outcome));

	plot_name(plot, style, name);
	free(name);
	return style;
}

static void
add_curve(const struct drawing *d, size_t pick, size_t metric, struct plot *plot)
{
	const struct attempt *a = &d->of->attempts->list[d->picked[pick]];
	const struct distribution *distribution = d->read[d->picked[pick]];
	char rate[RATE_TEXT_MAX], value[DIGITS_TEXT_MAX];
	bool named = false;

	for (size_t i = 0; distribution && i < DISTRIBUTION_SIZE; i++) {
		double q = distribution_quantiles[i], y = distribution[metric].values[i];
		char *text;

		if (!isfinite(y) || (1 - q) * a->num_requests < 1 - 1e-9)
			continue;
		text = memory_format("%s requests/s, quantile %g: %s", rate_text(a->qps, rate), q, digits_text(y, value));
		plot_add(plot, named ? curve_style(d, pick) : name_curve(d, pick, plot), q, y, NULL, text);
		named = true;
		free(text);
	}
}

static void
print_distribution(const struct drawing *d, size_t metric)
{
	char *id = memory_format("job-%zu-distribution-%zu", d->of->number, metric + 1), *text;
	char *title = memory_format("%s of the requests%s", d->metrics[metric], d->of->rules->given ? " around the answer" : "");
	struct plot *plot = plot_new(id, title, "Quantiles of the trials from the median up, as far as each has a request beyond.");
	char threshold[DIGITS_TEXT_MAX];

	plot_axes(plot, "quantile", AXIS_QUANTILE, unit_label(d->metrics[metric]), AXIS_VALUES);
	for (size_t i = 0; i < d->num_picked; i++)
		add_curve(d, i, metric, plot);
	if (plot_size(plot) > 0) {
		for (size_t i = 0; i < d->of->rules->count; i++) {
			const struct rule *rule = &d->of->rules->list[i];

			if (strcmp(rule->metric, d->metrics[metric]) != 0)
				continue;
			text = memory_format("SLA: q%g %s %s", rule->quantile, rule_op_sign(rule->op),
			    digits_exact(rule->threshold, threshold));
			plot_limit(plot, rule->quantile, rule->threshold, text);
			free(text);
		}
		plot_print(plot, d->f);
	}
	plot_free(plot);
	free(title);
	free(id);
}

/* The line of a backlog, a corner where it turns, and a point where it is deepest. */
static void
add_backlog(const struct drawing *d, size_t pick, const struct backlog *b, struct plot *plot)
{
	const struct attempt *a = &d->of->attempts->list[d->picked[pick]];
	enum plot_style style = name_curve(d, pick, plot);
	char rate[RATE_TEXT_MAX], value[DIGITS_TEXT_MAX], *text;
	size_t deepest = 0;

	for (size_t i = 0; i < b->num; i++)
		if (b->depth[i] > b->depth[deepest])
			deepest = i;
	for (size_t i = 0; i < b->num; i++) {
		if (i == 0 || b->depth[i] != b->depth[i - 1])
			plot_add_corner(plot, style, (double)i * b->width, b->depth[i]);
		if (i == deepest) {
			text = memory_format("%s requests/s: %.0f waiting at %s s", rate_text(a->qps, rate), b->depth[i],
			    digits_text(((double)i + 0.5) * b->width, value));
			plot_add(plot, style, ((double)i + 0.5) * b->width, b->depth[i], NULL, text);
			free(text);
		}
		if (i + 1 == b->num || b->depth[i] != b->depth[i + 1])
			plot_add_corner(plot, style, (double)(i + 1) * b->width, b->depth[i]);
	}
}

static void
print_backlog(const struct drawing *d)
{
	char *id = memory_format("job-%zu-queue", d->of->number), rate[RATE_TEXT_MAX];
	struct plot *plot = plot_new(id, "The longest queue of any worker", "Requests waiting over the time of the trials.");

	plot_axes(plot, "seconds since the start of the trial", AXIS_LINEAR, "requests waiting", AXIS_WHOLE);
	for (size_t i = 0; i < d->num_picked; i++) {
		const struct attempt *a = &d->of->attempts->list[d->picked[i]];
		char *path = memory_format("%s/%s/worker_timeline.csv", d->of->output_dir, a->run_dir);
		struct error e = ERROR_NONE;
		struct backlog backlog;

		if (access(path, F_OK) == 0 && backlog_read(path, &backlog, &e) == 0 && backlog.num > 0)
			add_backlog(d, i, &backlog, plot);
		if (error_is_set(&e)) {
			fprintf(d->f, "<p class=\"note\">The queues at %s requests/s are not shown: ", rate_text(a->qps, rate));
			markup_text(d->f, e.text);
			fputs("</p>\n", d->f);
		}
		error_clear(&e);
		free(path);
	}
	if (plot_size(plot) > 0)
		plot_print(plot, d->f);
	plot_free(plot);
	free(id);
}

void
pictures_print(const struct pictures *of, FILE *f)
{
	struct drawing d = { .of = of, .f = f };

	if (of->attempts->num == 0)
		return;
	choose_metrics(&d);
	d.num_picked = attempts_pick(of->attempts, PICKED_MAX, d.picked);
	d.read = memory_alloc(of->attempts->num, sizeof *d.read);
	for (size_t i = 0; i < of->attempts->num && !of->rules->given; i++)
		read_attempt(&d, i);
	for (size_t i = 0; i < d.num_picked && of->rules->given; i++)
		read_attempt(&d, d.picked[i]);
	fputs("<div class=\"plots\">\n", f);
	print_search(&d);
	for (size_t i = 0; i < of->rules->count; i++)
		print_against_rate(&d, &of->rules->list[i], i);
	for (size_t i = 0; i < d.num_metrics && !of->rules->given; i++)
		print_against_rate(&d, NULL, i);
	for (size_t i = 0; i < d.num_metrics; i++)
		print_distribution(&d, i);
	print_backlog(&d);
	fputs("</div>\n", f);
	for (size_t i = 0; i < of->attempts->num; i++)
		free(d.read[i]);
	free(d.read);
	free(d.metrics);
	free(d.worst);
}
