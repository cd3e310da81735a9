#include "chapter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attempt.h"
#include "digits.h"
#include "explanation.h"
#include "json.h"
#include "markup.h"
#include "memory.h"
#include "metric.h"
#include "picture.h"
#include "rate.h"

char *
chapter_answer(const struct summary *s)
{
	double capacity = json_get_number(s->members, "max_qps_under_sla", 0);
	const char *end = json_get_text(s->members, "search_end", "");
	struct attempts attempts;
	char rate[RATE_TEXT_MAX];
	bool judged = true;

	if (json_get_text(s->members, "error", NULL))
		return memory_string("error");
	if (capacity > 0)
		return memory_format("%s%s", json_get_text(s->members, "limited_by", NULL) ? "≥ " : "", rate_text(capacity, rate));
	attempts_read(s, &attempts);
	for (size_t i = 0; i < attempts.num; i++)
		judged = judged && attempts.list[i].outcome != ATTEMPT_UNJUDGED;
	attempts_free(&attempts);
	return memory_string(!judged ? "no SLA" : strcmp(end, "timeout") == 0 ? "timed out" :
	    strcmp(end, "harness") == 0 ? "rate not offered" : "nothing passes");
}

/* A link to PATH in the output directory. */
static void
print_link(const struct chapter *c, const char *path, const char *text, FILE *f)
{
	char *whole = memory_format("%s/%s", c->link, path);

	fputs("<a href=\"", f);
	markup_url(f, whole);
	fprintf(f, "\">%s</a>", text);
	free(whole);
}

/* The links to the directory of a trial and to its log. */
static void
print_trial_links(const struct chapter *c, const char *run_dir, FILE *f)
{
	char *directory = memory_format("%s/", run_dir), *log = memory_format("%s/benchmark.log", run_dir);

	print_link(c, directory, "files", f);
	fputs(" ", f);
	print_link(c, log, "log", f);
	free(log);
	free(directory);
}

/* The error, with links to the trial that it names at its start, "4 qps: ...". */
static void
print_error(const struct chapter *c, const char *error, FILE *f)
{
	char rate[RATE_TEXT_MAX], *after, *run_dir;
	double qps = strtod(error, &after);

	fputs("<p class=\"error\">", f);
	markup_text(f, error);
	if (after > error && strncmp(after, " qps: ", 6) == 0 && qps > 0 && qps <= RATE_MAX) {
		run_dir = memory_format("jobs/%s/runs/%s", c->directory_name, rate_text(qps, rate));
		fputs(" <span class=\"links\">", f);
		print_trial_links(c, run_dir, f);
		fputs("</span>", f);
		free(run_dir);
	}
	fputs("</p>\n", f);
}

static void
print_sentence(const struct chapter *c, const struct attempts *attempts, FILE *f)
{
	static const char nothing[] = "nothing passes; the "; /* the answer, above, says so already */
	bool answered = json_get_number(c->summary->members, "max_qps_under_sla", 0) > 0;
	char *text = answered ? explanation_of_limit(c->summary) : explanation_of_no_answer(c->summary), rate[RATE_TEXT_MAX];

	fputs("<p>", f);
	if (answered && attempts->failing_qps > 0)
		fprintf(f, "The highest rate that meets the SLA; %s requests/s does not.", rate_text(attempts->failing_qps, rate));
	else if (answered)
		fputs("The highest rate tried that meets the SLA; the service may do more.", f);
	if (text) {
		fputs(answered ? " The search was " : strncmp(text, nothing, strlen(nothing)) == 0 ? "The " : "", f);
		markup_text(f, strncmp(text, nothing, strlen(nothing)) == 0 ? text + strlen(nothing) : text);
		fputs(".", f);
	}
	fputs("</p>\n", f);
	free(text);
}

static void
print_head(const struct chapter *c, const struct attempts *attempts, FILE *f)
{
	struct json_object *members = c->summary->members, *harness = json_object_object_get(members, "harness"), *words;
	const char *error = json_get_text(members, "error", NULL);
	char *answer = chapter_answer(c->summary), *directory = memory_format("jobs/%s/", c->directory_name);
	bool has_rate = json_get_number(members, "max_qps_under_sla", 0) > 0;

	fprintf(f, "<article id=\"job-%zu\">\n<h2>", c->number);
	markup_text(f, json_get_text(members, "job_name", ""));
	fputs("</h2>\n<p class=\"tags\">", f);
	if (json_get_bool(members, "simulated", false))
		fputs("<span class=\"tag simulated\">simulated</span> ", f);
	fputs("<span>harness ", f);
	if (json_object_object_get_ex(harness, "command", &words))
		harness = json_object_array_get_idx(words, 0);
	markup_text(f, harness ? json_object_get_string(harness) : "unknown");
	fputs("</span> ", f);
	print_link(c, directory, "the job&#39;s directory", f);
	fprintf(f, "</p>\n<p class=\"answer\"><strong>%s</strong>%s</p>\n", answer, has_rate ? " requests/s" : "");
	if (error)
		print_error(c, error, f);
	else
		print_sentence(c, attempts, f);
	free(directory);
	free(answer);
}

static void
print_trial(const struct chapter *c, const struct attempt *a, size_t number, FILE *f)
{
	static const char *const marks[] = { [ATTEMPT_PASSED] = "passed\">●", [ATTEMPT_FAILED] = "failed\">✕",
		[ATTEMPT_TIMED_OUT] = "late\">■", [ATTEMPT_LIMITED] = "limited\">◆", [ATTEMPT_UNJUDGED] = "unjudged\">○" };
	char rate[RATE_TEXT_MAX], text[DIGITS_TEXT_MAX];

	fprintf(f, "<tr><td class=\"number\">%zu</td><td class=\"number\">%s</td>"
	    "<td class=\"verdict\"><span class=\"sign %s</span> %s</td>", number, rate_text(a->qps, rate), marks[a->outcome],
	    attempt_outcome_text(a->outcome));
	for (size_t i = 0; i < c->rules->count; i++) {
		char *key = rule_key(&c->rules->list[i]);
		double value = attempt_value(a, key);

		fprintf(f, "<td class=\"number\">%s</td>",
		    isnan(value) ? "–" : digits_text_beside(value, c->rules->list[i].threshold, text));
		free(key);
	}
	if (isnan(a->num_requests))
		fputs("<td class=\"number\">–</td><td class=\"number\">–</td><td>", f);
	else
		fprintf(f, "<td class=\"number\">%.0f</td><td class=\"number\">%.0f</td><td>", a->num_requests,
		    a->num_failed > 0 ? a->num_failed : 0);
	print_trial_links(c, a->run_dir, f);
	fputs("</td></tr>\n", f);
}

static void
print_trials(const struct chapter *c, const struct attempts *attempts, FILE *f)
{
	if (attempts->num == 0)
		return;
	fprintf(f, "<div class=\"scroll\"><table class=\"trials\"><caption>Trials, in the order of the search</caption>\n"
	    "<thead><tr><th class=\"number\">#</th><th class=\"number\">requests/s</th><th>verdict</th>");
	for (size_t i = 0; i < c->rules->count; i++) {
		char *key = rule_key(&c->rules->list[i]);

		fputs("<th class=\"number\">", f);
		markup_name(f, key);
		fputs(strcmp(metric_unit(key), "s") == 0 ? " (s)</th>" : "</th>", f);
		free(key);
	}
	fputs("<th class=\"number\">requests</th><th class=\"number\">failed</th><th>files</th></tr></thead>\n<tbody>\n", f);
	for (size_t i = 0; i < attempts->num; i++)
		print_trial(c, &attempts->list[i], i + 1, f);
	fputs("</tbody></table></div>\n", f);
}

/* The members of MAP as rows; those that OVERRIDES has too are marked. */
static void
print_fields(struct json_object *map, struct json_object *overrides, FILE *f)
{
	json_object_object_foreach(map, key, value) {
		bool overridden = json_object_is_type(overrides, json_type_object) && json_object_object_get_ex(overrides, key, NULL);

		fprintf(f, "<tr%s><th>", overridden ? " class=\"overridden\"" : "");
		markup_text(f, key);
		fputs("</th><td>", f);
		markup_text(f, json_object_is_type(value, json_type_string) ? json_object_get_string(value) :
		    json_object_to_json_string_ext(value, JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE));
		fputs(overridden ? "</td><td>overridden by the job</td></tr>\n" : "</td><td></td></tr>\n", f);
	}
}

static void
print_configuration(const struct chapter *c, FILE *f)
{
	static const char *const parts[][2] = { { "benchmark_config", "Benchmark" }, { "search", "Search" } };
	char *path = memory_format("%s/jobs/%s/job.json", c->output_dir, c->directory_name);
	struct error e = ERROR_NONE;
	struct json_object *job = json_read(path, &e), *map;

	fputs("<details><summary>Configuration</summary>\n", f);
	for (size_t i = 0; i < sizeof parts / sizeof *parts && json_object_is_type(job, json_type_object); i++) {
		map = json_object_object_get(job, parts[i][0]);
		fprintf(f, "<table class=\"fields\"><caption>%s</caption><tbody>\n", parts[i][1]);
		if (json_object_is_type(map, json_type_object))
			print_fields(map, i == 0 ? json_object_object_get(job, "benchmark_overrides") : NULL, f);
		fputs("</tbody></table>\n", f);
	}
	if (error_is_set(&e)) {
		fputs("<p class=\"note\">", f);
		markup_text(f, e.text);
		fputs("</p>\n", f);
	}
	fputs("</details>\n", f);
	error_clear(&e);
	json_object_put(job);
	free(path);
}

void
chapter_print(const struct chapter *c, FILE *f)
{
	struct attempts attempts;
	struct pictures pictures = { c->number, c->output_dir, c->rules, &attempts };

	attempts_read(c->summary, &attempts);
	print_head(c, &attempts, f);
	pictures_print(&pictures, f);
	print_trials(c, &attempts, f);
	print_configuration(c, f);
	fputs("</article>\n", f);
	attempts_free(&attempts);
}
