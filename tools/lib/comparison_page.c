#include <stdlib.h>
#include <string.h>

#include "comparison.h"
#include "file.h"
#include "installation.h"
#include "json.h"
#include "markup.h"
#include "memory.h"

static void
print_start(const char *style, FILE *f)
{
	fprintf(f, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>Capacity searches compared</title>\n<style>\n%s</style>\n"
	    "</head>\n<body>\n<header>\n<h1>Capacity searches compared</h1>\n", style);
}

static void
print_banner(const struct comparison *c, FILE *f)
{
	size_t num = 0;

	for (size_t i = 0; i < c->num_rows; i++)
		for (size_t j = 0; j < c->num_searches; j++)
			num += c->rows[i].cells[j].summary &&
			    json_get_bool(c->rows[i].cells[j].summary->members, "simulated", false);
	if (num > 0)
		fputs("<p class=\"banner\" role=\"note\"><strong>Simulated results</strong> Some of them do not come from a real service; "
		    "see the notes.</p>\n", f);
}

static void
print_header(const struct comparison *c, FILE *f)
{
	fputs("<table class=\"jobs\"><caption>Requests per second, against the first search</caption>\n<thead><tr><th>job</th>", f);
	for (size_t i = 0; i < c->num_searches; i++) {
		fputs("<th>", f);
		markup_name(f, c->searches[i].output_dir);
		fputs(i > 0 ? "</th><th class=\"number\">change</th><th>verdict</th>" : "</th>", f);
	}
	fputs("</tr></thead>\n<tbody>\n", f);
}

/* A cell that narrow screens show with its LABEL. */
static void
print_cell(const char *class, const char *label, char *text, FILE *f)
{
	fprintf(f, "<td%s data-label=\"", class);
	markup_text(f, label);
	fputs("\">", f);
	markup_text(f, text);
	fputs("</td>", f);
	free(text);
}

static void
print_row(const struct comparison *c, const struct comparison_row *row, FILE *f)
{
	fputs("<tr><th scope=\"row\">", f);
	markup_name(f, row->name);
	fputs("</th>", f);
	for (size_t i = 0; i < c->num_searches; i++) {
		print_cell("", c->searches[i].output_dir, comparison_capacity_text(&row->cells[i], true), f);
		if (i == 0)
			continue;
		print_cell(" class=\"number\"", "change", comparison_change_text(&row->cells[i]), f);
		print_cell("", "verdict", comparison_verdict_text(&row->cells[i]), f);
	}
	fputs("</tr>\n", f);
}

static void
print_notes(const struct comparison *c, FILE *f)
{
	char *notes = comparison_notes(c), *rest;

	if (*notes)
		fputs("<h2>Notes</h2>\n<ul class=\"rules\">\n", f);
	for (char *line = strtok_r(notes, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		fputs("<li>", f);
		markup_text(f, line);
		fputs("</li>\n", f);
	}
	if (*notes)
		fputs("</ul>\n", f);
	free(notes);
}

int
comparison_print_page(const struct comparison *c, FILE *f, struct error *e)
{
	char *path = installation_share("report/page.css"), *style;
	size_t size;

	style = file_read(path, &size, e);
	free(path);
	if (!style)
		return -1;
	print_start(style, f);
	print_banner(c, f);
	fputs("</header>\n<main>\n", f);
	print_header(c, f);
	for (size_t i = 0; i < c->num_rows; i++)
		print_row(c, &c->rows[i], f);
	fputs("</tbody></table>\n", f);
	print_notes(c, f);
	fputs("</main>\n<footer><p>capacity-search " INSTALLATION_VERSION "</p></footer>\n</body>\n</html>\n", f);
	free(style);
	return 0;
}
