/*
 * cs-next: which rate to try next.
 *
 * Reads trial results, one JSON object a line, from stdin or from the files given, in any order;
 * replays the search over them and prints the rate that it needs next, and with -n others that it may
 * need after that. It keeps no state: the results are the state. Writes and locks nothing.
 *
 * Exit status: 0 a rate was printed, 1 the search is over, 64 and up an error (sysexits.h).
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "error.h"
#include "file.h"
#include "job.h"
#include "program.h"
#include "rate.h"
#include "search.h"
#include "speculation.h"
#include "verdict.h"

static const char help[] =
	"Usage: cs-next (--start-qps Q | --qps-list A,B,... | --job JOB_DIR) [OPTION...] [FILE...]\n"
	"Print the request rate that a capacity search needs next, from the trial results in\n"
	"FILE... or on standard input, one JSON object a line.\n"
	"\n"
	"  --start-qps Q                    adaptive: start at Q requests per second, double, bisect\n"
	"  --qps-list A,B,...               linear: each of these rates, in this order\n"
	"  --job JOB_DIR                    the search that JOB_DIR/job.json describes; it is over, too, when it\n"
	"                                   comes to a trial that failed\n"
	"  --max-iterations N               adaptive: trials at the most (default 20)\n"
	"  --min-search-granularity-pct P   adaptive: stop when the bracket is narrower than P per cent\n"
	"                                   of its upper end (default 2.5)\n"
	"  --max-qps-cap Q                  adaptive: never above Q requests per second\n"
	"  -n, --at-once K                  print up to K rates to try at once: the next, then those that\n"
	"                                   are most likely to be needed after it (default 1)\n"
	PROGRAM_HELP_LINES
	"\n"
	"Exit status: 0 a rate was printed, 1 the search is over, 64 and up an error.\n"
	"\n"
	"Example: echo '{\"qps\": 2, \"passed\": true}' | cs-next --start-qps 2\n";

enum { START_QPS = 256, QPS_LIST, JOB, MAX_ITERATIONS, GRANULARITY, CAP };

static const struct option longopts[] = {
	{ "start-qps", required_argument, NULL, START_QPS },
	{ "qps-list", required_argument, NULL, QPS_LIST },
	{ "job", required_argument, NULL, JOB },
	{ "max-iterations", required_argument, NULL, MAX_ITERATIONS },
	{ "min-search-granularity-pct", required_argument, NULL, GRANULARITY },
	{ "max-qps-cap", required_argument, NULL, CAP },
	{ "at-once", required_argument, NULL, 'n' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, PROGRAM_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

static struct options {
	struct search search;
	const char *job;
	long at_once;
} options = { .at_once = 1 };

static int
set_option(int option, const char *text, struct error *e)
{
	struct search *s = &options.search;

	switch (option) {
	case START_QPS:
		return rate_parse("--start-qps", text, &s->start_qps, e);
	case QPS_LIST:
		search_free(s);
		return rate_parse_list("--qps-list", text, &s->qps_list, &s->num_qps, e);
	case JOB:
		options.job = text;
		return 0;
	case MAX_ITERATIONS:
		return program_integer("--max-iterations", text, 1, 1000000, &s->max_iterations, e);
	case GRANULARITY:
		return program_number("--min-search-granularity-pct", text, 1e-12, 1e12,
		    &s->min_search_granularity_pct, e);
	case 'n':
		return program_integer("-n", text, 1, SPECULATION_MAX, &options.at_once, e);
	default:
		if (rate_parse("--max-qps-cap", text, &s->max_qps_cap, e) < 0)
			return -1;
		s->max_qps_cap = rate_floor(strtod(text, NULL));
		return 0;
	}
}

static int
read_verdicts(char *const *files, struct verdict **list, size_t *count, struct error *e)
{
	static char standard_input[] = FILE_STANDARD_INPUT;
	static char *const none[] = { standard_input, NULL };
	int status = 0;

	for (files = *files ? files : none; *files; files++) {
		size_t size;
		char *bytes = file_read(*files, &size, e);

		if (!bytes || verdict_parse_lines(bytes, size, files[0], list, count, e) < 0)
			status = -1;
		free(bytes);
	}
	return status;
}

/* Whether the search can go by LIST. A job's own trials are judged by cs-report, with more to say. */
static int
check_verdicts(const struct verdict *list, size_t count, const struct search_trace *trace, struct error *e)
{
	char text[RATE_TEXT_MAX];

	if (options.job)
		return 0;
	for (size_t i = 0; i < count; i++)
		if (list[i].passed == VERDICT_NONE && !list[i].errored && !options.search.num_qps)
			return error_add(e, EX_DATAERR, NULL, 0,
			    "the result at %s qps has \"passed\": null; expected true or false: without a verdict "
			    "there is nothing to search by (a list of rates needs none)", rate_text(list[i].qps, text));
	if (trace->end == SEARCH_ERRORED)
		return error_add(e, EX_DATAERR, NULL, 0,
		    "the result at %s qps has an \"error\": the trial failed and says nothing of the service",
		    rate_text(trace->entries[trace->num - 1]->qps, text));
	return 0;
}

static int
read_job(struct error *e)
{
	struct job job;

	if (job_read(options.job, &job, e) < 0)
		return -1;
	search_free(&options.search);
	options.search = job.search;
	job.search.qps_list = NULL; /* it is ours now */
	job_free(&job);
	return 0;
}

static int
print_next(const struct verdict *list, size_t count, struct error *e)
{
	double rates[SPECULATION_MAX];
	char text[RATE_TEXT_MAX];
	struct search_trace trace;
	size_t num;
	int status;

	search_replay(&options.search, list, count, &trace);
	status = check_verdicts(list, count, &trace, e);
	search_trace_free(&trace);
	if (status < 0)
		return program_report(e);
	num = speculation_choose(&options.search, list, count, (size_t)options.at_once, rates);
	for (size_t i = 0; i < num; i++)
		puts(rate_text(rates[i], text));
	return program_finish(num > 0 ? 0 : 1);
}

int
main(int argc, char **argv)
{
	struct error e = ERROR_NONE;
	struct verdict *list = NULL;
	size_t count = 0;
	int option, status;

	program_start("cs-next");
	search_init(&options.search);
	while ((option = getopt_long(argc, argv, "hn:", longopts, NULL)) != -1) {
		if (option == 'h')
			return program_help(help);
		if (option == PROGRAM_OPTION_VERSION)
			return program_version();
		if (option == '?')
			return program_usage("expected the options that --help lists");
		if (set_option(option, optarg, &e) < 0)
			return program_report(&e);
	}
	if ((options.search.start_qps > 0) + (options.search.num_qps > 0) + (options.job != NULL) != 1)
		return program_usage("expected one of --start-qps, --qps-list and --job");
	if ((options.job && read_job(&e) < 0) || read_verdicts(argv + optind, &list, &count, &e) < 0)
		status = program_report(&e);
	else
		status = print_next(list, count, &e);
	free(list);
	search_free(&options.search);
	return status;
}
