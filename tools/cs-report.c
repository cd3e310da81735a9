/*
 * cs-report: aggregate the trials of a job, and the jobs of an output directory.
 *
 * job reads JOB_DIR/job.json and the runs/QPS/trial_result.json that the search leads to; writes
 * JOB_DIR/trials.mk, then JOB_DIR/job_summary.json, and makes ../../capacity_search_results.* old when
 * the summary changes. The others read OUTPUT_DIR/Makefile (the order of the jobs) and the summaries;
 * results writes OUTPUT_DIR/capacity_search_results.csv and .json, the rest print. Nothing is locked.
 *
 * Exit: 0 done; 1 (results only) a job has an error or no summary; 64 usage; 65 a file is not what it
 * should be; 66 a file is missing; 73, 74 cannot create, read or write.
 */
#include <getopt.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sysexits.h>
#include <unistd.h>

#include "job.h"
#include "link.h"
#include "number.h"
#include "overview.h"
#include "page.h"
#include "program.h"
#include "results.h"
#include "status.h"
#include "summary.h"
#include "watch.h"

static const char help[] =
    "usage: cs-report job JOB_DIR [--error TEXT]\n"
    "       cs-report results OUTPUT_DIR\n"
    "       cs-report table|json|csv|html OUTPUT_DIR\n"
    "       cs-report status [--watch] [--messages] OUTPUT_DIR\n"
    "\n"
    "  job      write job_summary.json (and trials.mk, for make) from the trials of one job\n"
    "  results  write capacity_search_results.json and .csv from the summaries of all jobs\n"
    "  table    print the results for people\n"
    "  json     print them as a JSON list, one object per job, in the order of the config\n"
    "  csv      print them as CSV: job_name,job_key,max_qps_under_sla,num_trials,error\n"
    "  html     print a page for browsers, all in one file; its links start where standard output is a file,\n"
    "           else in the current directory\n"
    "\n"
    "  status   print which trials are running, here or elsewhere, and how far the search is\n"
    "\n"
    "      --watch                      do so again every second, in place on a terminal, until all is finished\n"
    "      --messages                   with --watch: print the lines of standard input above it, until they end\n"
    "      --error TEXT                 the job ended with this error (a trial's own says more, and wins)\n"
    PROGRAM_HELP_LINES
    "\n"
    "Exit status of results: 0 all jobs have finished, 1 a job has an error or no summary. Of all\n"
    "others: 0, or one of sysexits.h: 64 usage, 65 bad data, 66 no input.\n";

static struct options {
	const char *command;
	const char *directory;
	const char *error_text;
	bool watch, messages;
} options;

/* The width of the terminal on stdout, 0 if there is none. */
static size_t
terminal_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	long width;

	if (!isatty(STDOUT_FILENO))
		return 0;
	if (columns && number_parse_integer(columns, 1, 10000, &width))
		return (size_t)width;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return 80;
}

static int
report_job(void)
{
	struct error e = ERROR_NONE;
	struct job job;
	int status;

	if (job_read(options.directory, &job, &e) < 0)
		return program_report(&e);
	status = summary_write(&job, options.error_text, &e);
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

static int
print_results(struct results *results, char *text)
{
	fputs(text, stdout);
	free(text);
	return program_finish(program_report(&results->faults));
}

static bool
is_utf8(void)
{
	return setlocale(LC_CTYPE, "") && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static char *
table_of(const struct results *results)
{
	return overview_text(results, is_utf8(), terminal_width());
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
report_all(void)
{
	struct error e = ERROR_NONE;
	struct results results;
	int status;

	if (results_read(options.directory, &results, &e) < 0)
		return program_report(&e);
	if (strcmp(options.command, "results") == 0)
		status = write_results(&results);
	else if (strcmp(options.command, "json") == 0)
		status = print_results(&results, results_json(&results));
	else if (strcmp(options.command, "csv") == 0)
		status = print_results(&results, results_csv(&results));
	else if (strcmp(options.command, "html") == 0)
		status = print_html(&results);
	else
		status = print_results(&results, table_of(&results));
	results_free(&results);
	return status;
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
	text = status_text(&status, is_utf8(), terminal_width());
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

static bool
is_command(const char *word)
{
	static const char *const commands[] = { "job", "results", "table", "json", "csv", "html", "status" };

	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (strcmp(word, commands[i]) == 0)
			return true;
	return false;
}

/* What is wrong with the words of the command line, as the exit status; 0: nothing, and they are in options. */
static int
read_words(int count, char **words)
{
	bool job = count > 0 && strcmp(words[0], "job") == 0;

	if (count == 0)
		return program_usage("expected what to report: job, results, table, json, csv, html or status");
	if (!is_command(words[0]))
		return program_usage("cannot report '%s'; expected job, results, table, json, csv, html or status", words[0]);
	if (count == 1 || *words[1] == '\0')
		return program_usage("expected %s after %s", job ? "a job's directory" : "an output directory", words[0]);
	if (count > 2)
		return program_usage("'%s': one directory at a time is all that %s takes", words[2], words[0]);
	if ((options.watch && strcmp(words[0], "status") != 0) || (options.messages && !options.watch))
		return program_usage("--watch goes with status only, and --messages with --watch");
	if (options.error_text && !job)
		return program_usage("--error goes with job only");
	options.command = words[0];
	options.directory = words[1];
	return 0;
}

int
main(int argc, char **argv)
{
	static const struct option table[] = { { "error", required_argument, NULL, 'e' },
		{ "watch", no_argument, NULL, 'w' },
		{ "messages", no_argument, NULL, 'm' }, { "help", no_argument, NULL, 'h' }, { "version", no_argument, NULL, PROGRAM_OPTION_VERSION },
		{ NULL, 0, NULL, 0 } };
	int option, status;

	program_start("cs-report");
	while ((option = getopt_long(argc, argv, "h", table, NULL)) != -1) {
		if (option == 'e')
			options.error_text = optarg;
		else if (option == 'w')
			options.watch = true;
		else if (option == 'm')
			options.messages = true;
		else if (option == 'h')
			return program_help(help);
		else if (option == PROGRAM_OPTION_VERSION)
			return program_version();
		else
			return program_usage("expected the options that --help lists");
	}
	status = read_words(argc - optind, argv + optind);
	if (status != 0)
		return status;
	if (strcmp(options.command, "status") == 0)
		return report_status();
	return strcmp(options.command, "job") == 0 ? report_job() : report_all();
}
