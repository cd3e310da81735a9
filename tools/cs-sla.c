/*
 * cs-sla: whether a trial meets its SLA rules.
 *
 * Reads request_metrics.csv, worker_timeline.csv where a rule needs it, and benchmark_results.json where it
 * is there, from one trial directory, each once however many rules there are. Without
 * benchmark_results.json the rows are counted against num_requests of trial_config.json, where that is
 * there. Prints one JSON object, {"passed": true, "metric_values": {"ttft@q0.5": 0.21}}. Writes and locks nothing.
 *
 * Exit status: 0 every rule holds, 1 a rule fails, 64 usage, 65 the data or the rules cannot be read,
 * 66 a file is missing, 74 I/O.
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#include "error.h"
#include "json.h"
#include "memory.h"
#include "program.h"
#include "rule.h"
#include "sla.h"

static const char help[] =
	"Usage: cs-sla --rule 'METRIC@qQUANTILE OP THRESHOLD' ... DIR\n"
	"       cs-sla --rules FILE DIR\n"
	"Judge the trial in the directory DIR by quantiles of its metrics.\n"
	"\n"
	"  --rule RULE                      METRIC is a column of request_metrics.csv, or queue_depth_waiting\n"
	"                                   of worker_timeline.csv; QUANTILE from 0 to 1; OP one of\n"
	"                                   <= < >= > ==; may be given more than once\n"
	"  --rules FILE                     the rules, as JSON: the sla.json of an output directory\n"
	PROGRAM_HELP_LINES
	"\n"
	"Exit status: 0 every rule holds, 1 a rule fails, 65 the data cannot be judged,\n"
	"66 a file is missing, 64 and up other errors.\n"
	"\n"
	"Example: cs-sla --rule 'ttft@q0.99 <= 0.5' --rule 'queue_depth_waiting@q0.5 <= 4' runs/8\n";

enum { RULE = 256, RULES };

static const struct option longopts[] = {
	{ "rule", required_argument, NULL, RULE },
	{ "rules", required_argument, NULL, RULES },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, PROGRAM_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

static struct options {
	struct rules rules;
	const char *rules_file;
} options;

/* The number of requests that DIRECTORY's trial_config.json plans, into *PLANNED; 0 where it says nothing. */
static int
read_planned(const char *directory, double *planned, struct error *e)
{
	char *path = memory_format("%s/trial_config.json", directory);
	struct json_object *config = NULL, *member = NULL;

	*planned = 0;
	if (access(path, F_OK) == 0 && (config = json_read(path, e)) != NULL) {
		json_object_object_get_ex(config, "num_requests", &member);
		*planned = member ? json_get_number(config, "num_requests", NAN) : 0;
		if (!(*planned >= 0 && *planned == floor(*planned)))
			error_add(e, EX_DATAERR, path, 0, "\"num_requests\" is %s; expected a whole number, or null",
			    json_object_to_json_string(member));
	}
	json_object_put(config);
	free(path);
	return error_is_set(e) ? -1 : 0;
}

static int
check_directory(const char *directory, struct error *e)
{
	struct stat st;

	if (stat(directory, &st) != 0)
		return error_add_errno(e, EX_NOINPUT, directory, "expected a trial directory");
	if (!S_ISDIR(st.st_mode))
		return error_add(e, EX_NOINPUT, directory, 0, "not a directory; expected a trial directory");
	return 0;
}

static int
evaluate(const char *directory, struct error *e)
{
	struct json_object *output;
	struct sla_result result;
	double planned;
	char *line;
	int status;

	if (check_directory(directory, e) < 0 || read_planned(directory, &planned, e) < 0)
		return program_report(e);
	if (sla_evaluate(directory, &options.rules, planned, false, &result, e) < 0)
		return program_report(e);
	output = json_object_new_object();
	json_object_object_add(output, "passed", result.passed == VERDICT_NONE ? NULL
	    : json_object_new_boolean(result.passed == VERDICT_PASSED));
	json_object_object_add(output, "metric_values", json_object_get(result.metric_values));
	line = json_line(output);
	fputs(line, stdout);
	status = result.passed == VERDICT_FAILED;
	free(line);
	json_object_put(output);
	sla_result_free(&result);
	return program_finish(status);
}

int
main(int argc, char **argv)
{
	struct error e = ERROR_NONE;
	int option, status;

	program_start("cs-sla");
	while ((option = getopt_long(argc, argv, "h", longopts, NULL)) != -1) {
		if (option == 'h')
			return program_help(help);
		if (option == PROGRAM_OPTION_VERSION)
			return program_version();
		if (option == '?')
			return program_usage("expected the options that --help lists");
		if (option == RULE)
			rules_add_text(&options.rules, optarg, &e);
		else
			options.rules_file = optarg;
	}
	if (error_is_set(&e))
		return program_report(&e);
	if ((options.rules.count > 0) + (options.rules_file != NULL) != 1)
		return program_usage("expected either --rule, once or more, or --rules");
	if (argc - optind != 1)
		return program_usage("expected one trial directory, not %d", argc - optind);
	if (options.rules_file && rules_read(options.rules_file, &options.rules, &e) < 0)
		return program_report(&e);
	status = evaluate(argv[optind], &e);
	rules_free(&options.rules);
	return status;
}
