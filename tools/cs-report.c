/*
 * cs-report: aggregate the trials of a job, and the jobs of an output directory.
 *
 * job reads JOB_DIR/job.json and the runs/QPS/trial_result.json that the search leads to; writes
 * JOB_DIR/trials.mk, then JOB_DIR/job_summary.json, and makes ../../capacity_search_results.* old when
 * the summary changes. The others read OUTPUT_DIR/Makefile (the order of the jobs) and the summaries;
 * compare reads several of them. csv --long reads the trials too, and keeps RUN_DIR/metrics.json of each.
 * results writes OUTPUT_DIR/capacity_search_results.csv and .json, once nobody searches a job that has no summary; the
 * rest print. Nothing is locked.
 *
 * Exit: 0 done; 1 a job has an error or no summary (results), or got worse (compare --fail-below); 64 usage; 65 a file is not what it
 * should be; 66 a file is missing; 73, 74 cannot create, read or write.
 */
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comparison.h"
#include "job.h"
#include "ledger.h"
#include "link.h"
#include "overview.h"
#include "page.h"
#include "program.h"
#include "results.h"
#include "status.h"
#include "summary.h"
#include "terminal.h"
#include "watch.h"

static const char help[] =
    "usage: cs-report job JOB_DIR [--error TEXT] [--num-results N]\n"
    "       cs-report results OUTPUT_DIR\n"
    "       cs-report table|json|csv|html OUTPUT_DIR\n"
    "       cs-report csv --long OUTPUT_DIR\n"
    "       cs-report compare [--format text|csv|html] [--fail-below PCT] OUTPUT_DIR OUTPUT_DIR...\n"
    "       cs-report status [--watch] [--messages] OUTPUT_DIR\n"
    "\n"
    "  job      write job_summary.json (and trials.mk, for make) from the trials of one job\n"
    "  results  write capacity_search_results.json and .csv from the summaries of all jobs\n"
    "  table    print the results for people\n"
    "  json     print them as a JSON list, one object per job, in the order of the config\n"
    "  csv      print them as CSV: job_name,job_key,max_qps_under_sla,num_trials,error\n"
    "  html     print a page for browsers, all in one file; its links start where standard output is a file,\n"
    "           else in the current directory\n"
    "  compare  print the same jobs of several searches side by side, against the first\n"
    "\n"
    "  status   print which trials are running, here or elsewhere, and how far the search is\n"
    "\n"
    "      --watch                      do so again every second, in place on a terminal, until all is finished\n"
    "      --messages                   with --watch: print the lines of standard input above it, until they end\n"
    "      --error TEXT                 the job ended with this error (a trial's own says more, and wins)\n"
    "      --num-results N              N trials of the job have results of this search; those that it did not\n"
    "                                   come to are its num_speculative\n"
    "      --long                       csv: one row a trial, with every metric's quantiles, instead of one a job\n"
    "      --format text|csv|html       compare: how it is printed (text)\n"
    "      --fail-below PCT             compare: exit 1 when a job got worse by more than PCT per cent, or lost its answer\n"
    PROGRAM_HELP_LINES
    "\n"
    "Exit status of results: 0 all jobs have finished, 1 a job has an error or no summary. Of compare: 1 only\n"
    "with --fail-below. Of all others: 0, or one of sysexits.h: 64 usage, 65 bad data, 66 no input.\n";

static struct options {
	const struct command *command;
	const char *directory;
	const char *error_text;
	const char *num_results;
	const char *format, *fail_below;
	char *const *directories; /* all of them */
	size_t num_directories;
	bool watch, messages, is_long;
} options;

static int
report_job(void)
{
	struct error e = ERROR_NONE;
	long num_results = 0;
	struct job job;
	int status;

	if (options.num_results &&
	    program_integer("--num-results", options.num_results, 0, LONG_MAX, &num_results, &e) < 0)
		return program_report(&e);
	if (job_read(options.directory, &job, &e) < 0)
		return program_report(&e);
	status = summary_write(&job, options.error_text, num_results, &e);
	job_free(&job);
	return status < 0 ? program_report(&e) : 0;
}

static int
write_results(struct results *results)
{
	struct error e = ERROR_NONE;

	program_report(&results->faults);
	if (results_write(results, &e) < 0)
		return program_report(&e);
	return results->num_errors > 0 ? 1 : 0;
}

/* Prints TEXT, which it takes, then what is wrong with the results. */
static int
print_text(struct results *results, char *text)
{
	fputs(text, stdout);
	free(text);
	return program_finish(program_report(&results->faults));
}

static int
print_table(struct results *results)
{
	return print_text(results, overview_text(results, terminal_is_utf8(), terminal_width(STDOUT_FILENO)));
}

static int
print_json(struct results *results)
{
	return print_text(results, results_json(results));
}

static int
print_csv(struct results *results)
{
	return print_text(results, options.is_long ? ledger_csv(results, &results->faults) : results_csv(results));
}

static int
print_html(struct results *results)
{
	struct error e = ERROR_NONE;
	char *link = link_to_directory(STDOUT_FILENO, results->output_dir);
	int status = page_print(results, link, stdout, &e);

	free(link);
	if (status < 0)
		return program_report(&e);
	return program_finish(program_report(&results->faults));
}

static int
print_comparison(const struct comparison *c)
{
	struct error e = ERROR_NONE;
	char *text;

	if (options.format && strcmp(options.format, "html") == 0)
		return comparison_print_page(c, stdout, &e) < 0 ? program_report(&e) : 0;
	text = options.format && strcmp(options.format, "csv") == 0 ? comparison_csv(c)
	                                                            : comparison_text(c, terminal_is_utf8(), terminal_width(STDOUT_FILENO));
	fputs(text, stdout);
	free(text);
	return 0;
}

/* Names the jobs that got worse by more than PERCENT; 1 if there are such, else 0. */
static int
find_worse(const struct comparison *c, double percent)
{
	char *lines = comparison_losses(c, percent, terminal_is_utf8()), *rest;
	int status = *lines ? 1 : 0;

	for (char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		program_warn("%s", line);
	free(lines);
	return status;
}

static int
report_comparison(void)
{
	struct error e = ERROR_NONE;
	double percent = 0;
	struct comparison c;
	int status, faults = 0;

	if (options.fail_below && program_number("--fail-below", options.fail_below, 0, 100, &percent, &e) < 0)
		return program_report(&e);
	if (comparison_read(options.directories, options.num_directories, &c, &e) < 0)
		return program_report(&e);
	status = print_comparison(&c);
	for (size_t i = 0; i < c.num_searches; i++) {
		int fault = program_report(&c.searches[i].faults);

		faults = faults ? faults : fault;
	}
	if (status == 0 && options.fail_below)
		status = find_worse(&c, percent);
	comparison_free(&c);
	return program_finish(status ? status : faults);
}

/* Prints the status of the search on OUT; *FINISHED: all of its jobs have. */
static int
draw_status(struct watch *w, bool *finished)
{
	struct error e = ERROR_NONE;
	struct status status;
	char *text;

	if (status_read(options.directory, &status, &e) < 0)
		return program_report(&e);
	text = status_text(&status, terminal_is_utf8(), terminal_width(STDOUT_FILENO), terminal_height(STDOUT_FILENO));
	watch_draw(w, text);
	*finished = status.num_finished == status.num_jobs;
	free(text);
	status_free(&status);
	return 0;
}

static int
report_status(void)
{
	int fd = options.messages ? STDIN_FILENO : -1, failed;
	bool finished = false;
	struct watch w;

	if (options.messages)
		signal(SIGINT, SIG_IGN); /* whoever writes the messages ends them */
	watch_init(&w, stdout);
	do
		failed = draw_status(&w, &finished);
	while (!failed && options.watch && (options.messages || !finished) && !ferror(stdout) && watch_wait(&w, fd, 1));
	watch_free(&w);
	return program_finish(failed);
}

static const struct command {
	const char *name;
	int (*report)(void);             /* NULL: */
	int (*print)(struct results *);  /* what there is to do with the results of OUTPUT_DIR */
} commands[] = {
	{ "job", report_job, NULL },
	{ "results", NULL, write_results },
	{ "table", NULL, print_table },
	{ "json", NULL, print_json },
	{ "csv", NULL, print_csv },
	{ "html", NULL, print_html },
	{ "status", report_status, NULL },
	{ "compare", report_comparison, NULL },
};

static const struct command *
find_command(const char *word)
{
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (strcmp(word, commands[i].name) == 0)
			return &commands[i];
	return NULL;
}

static int
run(const struct command *command)
{
	struct error e = ERROR_NONE;
	struct results results;
	int status;

	if (command->report)
		return command->report();
	if (results_read(options.directory, command->print == write_results, &results, &e) < 0)
		return program_report(&e);
	status = command->print(&results);
	results_free(&results);
	return status;
}

static bool
is_format(const char *word)
{
	return strcmp(word, "text") == 0 || strcmp(word, "csv") == 0 || strcmp(word, "html") == 0;
}

/* What is wrong with the words of the command line, as the exit status; 0: nothing, and they are in options. */
static int
read_words(int count, char **words)
{
	const struct command *command = count > 0 ? find_command(words[0]) : NULL;
	bool job = count > 0 && strcmp(words[0], "job") == 0, compares = count > 0 && strcmp(words[0], "compare") == 0;

	if (count == 0)
		return program_usage("expected what to report: job, results, table, json, csv, html, status or compare");
	if (!command)
		return program_usage("cannot report '%s'; expected job, results, table, json, csv, html, status or compare", words[0]);
	if (count == 1 || *words[1] == '\0')
		return program_usage("expected %s after %s", job ? "a job's directory" : "an output directory", words[0]);
	if (count > 2 && !compares)
		return program_usage("'%s': one directory at a time is all that %s takes", words[2], words[0]);
	if ((options.watch && strcmp(words[0], "status") != 0) || (options.messages && !options.watch))
		return program_usage("--watch goes with status only, and --messages with --watch");
	if ((options.error_text || options.num_results) && !job)
		return program_usage("%s goes with job only", options.error_text ? "--error" : "--num-results");
	if (compares && count == 2)
		return program_usage("expected two or more output directories after compare");
	if (options.is_long && strcmp(words[0], "csv") != 0)
		return program_usage("--long goes with csv only");
	if ((options.format || options.fail_below) && !compares)
		return program_usage("%s goes with compare only", options.format ? "--format" : "--fail-below");
	if (options.format && !is_format(options.format))
		return program_usage("--format: '%s'; expected text, csv or html", options.format);
	options.directories = words + 1;
	options.num_directories = (size_t)count - 1;
	options.command = command;
	options.directory = words[1];
	return 0;
}

/* Returns an exit status, or -1 to go on. */
static int
set_option(int option)
{
	switch (option) {
	case 'e': options.error_text = optarg; return -1;
	case 'r': options.num_results = optarg; return -1;
	case 'l': options.is_long = true; return -1;
	case 'f': options.format = optarg; return -1;
	case 'b': options.fail_below = optarg; return -1;
	case 'w': options.watch = true; return -1;
	case 'm': options.messages = true; return -1;
	case 'h': return program_help(help);
	case PROGRAM_OPTION_VERSION: return program_version();
	default: return program_usage("expected the options that --help lists");
	}
}

int
main(int argc, char **argv)
{
	static const struct option table[] = { { "error", required_argument, NULL, 'e' },
		{ "num-results", required_argument, NULL, 'r' },
		{ "watch", no_argument, NULL, 'w' }, { "long", no_argument, NULL, 'l' },
		{ "format", required_argument, NULL, 'f' }, { "fail-below", required_argument, NULL, 'b' },
		{ "messages", no_argument, NULL, 'm' }, { "help", no_argument, NULL, 'h' }, { "version", no_argument, NULL, PROGRAM_OPTION_VERSION },
		{ NULL, 0, NULL, 0 } };
	int option, status;

	program_start("cs-report");
	while ((option = getopt_long(argc, argv, "h", table, NULL)) != -1)
		if ((status = set_option(option)) >= 0)
			return status;
	status = read_words(argc - optind, argv + optind);
	return status != 0 ? status : run(options.command);
}
