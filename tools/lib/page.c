#include "page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attempt.h"
#include "bars.h"
#include "chapter.h"
#include "digits.h"
#include "explanation.h"
#include "file.h"
#include "installation.h"
#include "json.h"
#include "markup.h"
#include "memory.h"
#include "metric.h"
#include "rate.h"
#include "rule.h"

/* The last part of the output directory's real path (to be freed). */
static char *
name_of(const struct results *results)
{
	char *path = file_absolute(results->output_dir), *slash = strrchr(path, '/');
	char *name = memory_string(slash && slash[1] ? slash + 1 : path);

	free(path);
	return name;
}

static void
print_start(const struct results *results, const char *style, FILE *f)
{
	char *name = name_of(results);

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Capacity search: ", f);
	markup_text(f, name);
	fprintf(f, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n<h1>Capacity search <span>", style);
	markup_text(f, name);
	fputs("</span></h1>\n", f);
	free(name);
}

static void
print_banner(const struct results *results, FILE *f)
{
	size_t num = 0;

	for (size_t i = 0; i < results->num; i++)
		num += json_get_bool(results->list[i].members, "simulated", false);
	if (num == 0)
		return;
	fputs("<p class=\"banner\" role=\"note\"><strong>Simulated results</strong> ", f);
	if (num == results->num)
		fputs("No real service was measured.", f);
	else
		fprintf(f, "In %zu of %zu jobs no real service was measured.", num, results->num);
	fputs("</p>\n", f);
}

static void
print_rules(const struct rules *rules, FILE *f)
{
	char threshold[DIGITS_TEXT_MAX];

	if (!rules->given) {
		fputs("<p>There is no SLA: trials are shown, and nothing is judged.</p>\n", f);
		return;
	}
	fputs("<p>SLA:</p>\n<ul class=\"rules\">\n", f);
	for (size_t i = 0; i < rules->count; i++) {
		char *key = rule_key(&rules->list[i]);

		fputs("<li><code>", f);
		markup_text(f, key);
		fputs(" ", f);
		markup_text(f, rule_op_sign(rules->list[i].op));
		fprintf(f, " %s</code> %s</li>\n", digits_exact(rules->list[i].threshold, threshold), metric_unit(key));
		free(key);
	}
	fputs("</ul>\n", f);
}

static void
print_bars(const struct results *results, FILE *f)
{
	struct bar *bars = memory_alloc(results->num, sizeof *bars);
	bool any = false;

	for (size_t i = 0; i < results->num; i++) {
		const struct summary *s = &results->list[i];
		struct attempts attempts;
		char *answer = chapter_answer(s), rate[RATE_TEXT_MAX];

		attempts_read(s, &attempts);
		bars[i].name = memory_string(json_get_text(s->members, "job_name", ""));
		bars[i].best = json_get_number(s->members, "max_qps_under_sla", 0);
		bars[i].failing = json_get_text(s->members, "error", NULL) ? 0 : attempts.failing_qps;
		bars[i].is_open = bars[i].best > 0 && bars[i].failing <= 0;
		if (bars[i].failing > 0 && bars[i].best > 0)
			bars[i].text = memory_format("%s (%s fails)", answer, rate_text(bars[i].failing, rate));
		else
			bars[i].text = memory_string(answer);
		any = any || bars[i].best > 0 || bars[i].failing > 0;
		attempts_free(&attempts);
		free(answer);
	}
	if (any)
		bars_print(bars, results->num, f);
	bars_free(bars, results->num);
}

/* Opens a cell that narrow screens show with its LABEL, which may be the key of a value. */
static void
open_cell(const char *class, const char *label, FILE *f)
{
	fprintf(f, "<td%s data-label=\"", class);
	markup_text(f, label);
	fputs(strcmp(metric_unit(label), "s") == 0 ? " (s)\">" : "\">", f);
}

static void
print_note(const struct summary *s, FILE *f)
{
	const char *error = json_get_text(s->members, "error", NULL);
	char *limit = error ? NULL : explanation_of_limit(s), *stops = explanation_of_stops(s);

	if (json_get_bool(s->members, "simulated", false))
		fputs("<span class=\"tag simulated\">simulated</span> ", f);
	if (error)
		fputs("<span class=\"error\">", f);
	markup_text(f, error ? error : limit ? limit : "");
	if (error)
		fputs("</span>", f);
	if (stops)
		fprintf(f, "%s%s", error || limit ? ", " : "", stops);
	free(stops);
	free(limit);
}

static void
print_job(const struct results *results, size_t job, const struct rules *rules, FILE *f)
{
	const struct summary *s = &results->list[job];
	struct json_object *values = json_object_object_get(s->members, "best_metric_values");
	char *answer = chapter_answer(s), text[DIGITS_TEXT_MAX];

	fprintf(f, "<tr><th scope=\"row\"><a href=\"#job-%zu\">", job + 1);
	markup_name(f, json_get_text(s->members, "job_name", ""));
	fputs("</a></th>", f);
	open_cell(" class=\"number\"", "requests/s", f);
	fprintf(f, "<strong>%s</strong></td>", answer);
	for (size_t i = 0; i < rules->count; i++) {
		char *key = rule_key(&rules->list[i]);
		double value = json_object_is_type(values, json_type_object) ? json_get_number(values, key, NAN) : NAN;

		open_cell(" class=\"number\"", key, f);
		fprintf(f, "%s</td>", isnan(value) ? "–" : digits_text_beside(value, rules->list[i].threshold, text));
		free(key);
	}
	open_cell(" class=\"number\"", "trials", f);
	fprintf(f, "%.0f</td>", json_get_number(s->members, "num_trials", 0));
	open_cell("", "note", f);
	print_note(s, f);
	fputs("</td></tr>\n", f);
	free(answer);
}

static void
print_jobs(const struct results *results, const struct rules *rules, FILE *f)
{
	fputs("<table class=\"jobs\"><caption>Jobs, with the values at the answer</caption>\n<thead><tr><th>job</th>"
	    "<th class=\"number\">requests/s</th>", f);
	for (size_t i = 0; i < rules->count; i++) {
		char *key = rule_key(&rules->list[i]);

		fputs("<th class=\"number\">", f);
		markup_name(f, key);
		fputs(strcmp(metric_unit(key), "s") == 0 ? " (s)</th>" : "</th>", f);
		free(key);
	}
	fputs("<th class=\"number\">trials</th><th>note</th></tr></thead>\n<tbody>\n", f);
	for (size_t i = 0; i < results->num; i++)
		print_job(results, i, rules, f);
	fputs("</tbody></table>\n", f);
}

static void
print_page(const struct results *results, const struct rules *rules, const char *style, const char *link, FILE *f)
{
	print_start(results, style, f);
	print_banner(results, f);
	print_rules(rules, f);
	fputs("</header>\n<main>\n", f);
	print_bars(results, f);
	print_jobs(results, rules, f);
	for (size_t i = 0; i < results->num; i++) {
		struct chapter chapter = { i + 1, &results->list[i], rules, results->output_dir, link, results->directories[i] };

		chapter_print(&chapter, f);
	}
	fputs("</main>\n<footer><p>capacity-search " INSTALLATION_VERSION "</p></footer>\n</body>\n</html>\n", f);
}

int
page_print(const struct results *results, const char *link, FILE *f, struct error *e)
{
	char *rules_path = memory_format("%s/sla.json", results->output_dir);
	char *style_path = installation_share("report/page.css"), *style;
	struct rules rules;
	size_t size;
	int status = rules_read(rules_path, &rules, e);

	if (status == 0) {
		style = file_read(style_path, &size, e);
		status = style ? 0 : -1;
		if (style)
			print_page(results, &rules, style, link, f);
		free(style);
		rules_free(&rules);
	}
	free(style_path);
	free(rules_path);
	return status;
}
