/*
 * cs-sla: whether a trial meets its SLA rules.
 *
 * Reads request_metrics.csv, worker_timeline.csv where a rule needs it, and benchmark_results.json where it
 * is there, from one trial directory, each once however many rules there are. Without
 * benchmark_results.json the rows are counted against num_requests of trial_config.json, where that is
 * there. Prints one JSON object, {"passed": true, "metric_values": {"ttft@q0.5": 0.21}}. With --partial the trial may
 * still be running, and what is printed is what the requests there are decide,
 * {"passed": null, "num_rows": 512, "num_failed": 0, "num_requests": 2000}. Writes and locks nothing.
 *
 * Exit status: 0 every rule holds, 1 a rule fails, 3 not decided (--partial), 64 usage, 65 the data or the rules
 * cannot be read, 66 a file is missing, 74 I/O.
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#include "error.h"
#include "follower.h"
#include "json.h"
#include "memory.h"
#include "program.h"
#include "rule.h"
#include "sla.h"

static const char help[] =
	"Usage: cs-sla --rule 'METRIC@qQUANTILE OP THRESHOLD' ... DIR\n"
	"       cs-sla --rules FILE DIR\n"
	"       cs-sla --partial [--num-requests N] (--rule RULE ... | --rules FILE) DIR\n"
	"Judge the trial in the directory DIR by quantiles of its metrics.\n"
	"\n"
	"  --rule RULE                      METRIC is a column of request_metrics.csv, or queue_depth_waiting\n"
	"                                   of worker_timeline.csv; QUANTILE from 0 to 1; OP one of\n"
	"                                   <= < >= > ==; may be given more than once\n"
	"  --rules FILE                     the rules, as JSON: the sla.json of an output directory\n"
	"  --partial                        requests are still to come: is it decided already, whatever they bring?\n"
	"  --num-requests N                 with --partial: the requests in all; by default trial_config.json says\n"
	PROGRAM_HELP_LINES
	"\n"
	"Exit status: 0 every rule holds, 1 a rule fails, 3 not decided yet (--partial), 65 the data cannot be judged,\n"
	"66 a file is missing, 64 and up other errors.\n"
	"\n"
	"Example: cs-sla --rule 'ttft@q0.99 <= 0.5' --rule 'queue_depth_waiting@q0.5 <= 4' runs/8\n";

enum { RULE = 256, RULES, PARTIAL, NUM_REQUESTS };

static const struct option longopts[] = {
	{ "rule", required_argument, NULL, RULE },
	{ "rules", required_argument, NULL, RULES },
	{ "partial", no_argument, NULL, PARTIAL },
	{ "num-requests", required_argument, NULL, NUM_REQUESTS },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, PROGRAM_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

static struct options {
	struct rules rules;
	const char *rules_file;
	bool is_partial;
	long num_requests; /* 0: not given */
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

static struct json_object *
passed_to_json(enum verdict_passed passed)
{
	return passed == VERDICT_NONE ? NULL : json_object_new_boolean(passed == VERDICT_PASSED);
}

/* Prints OUTPUT, which it takes over. */
static int
print(struct json_object *output, int status)
{
	char *line = json_line(output);

	fputs(line, stdout);
	free(line);
	json_object_put(output);
	return program_finish(status);
}

static int
evaluate(const char *directory, double planned, struct error *e)
{
	struct json_object *output;
	struct sla_result result;
	bool is_failed;

	if (sla_evaluate(directory, &options.rules, planned, false, &result, e) < 0)
		return program_report(e);
	output = json_object_new_object();
	json_object_object_add(output, "passed", passed_to_json(result.passed));
	json_object_object_add(output, "metric_values", json_object_get(result.metric_values));
	is_failed = result.passed == VERDICT_FAILED;
	sla_result_free(&result);
	return print(output, is_failed);
}

/* The outcome of the rules when all requests have come. Those on the queue stay open: its file may not be whole. */
static int
conclude(const char *directory, double planned, enum prospect_outcome *outcome, struct error *e)
{
	struct rules rules = { memory_alloc(options.rules.count, sizeof *rules.list), 0, true };
	struct sla_result result;
	int status;

	for (size_t i = 0; i < options.rules.count; i++)
		if (!rule_is_of_queue(&options.rules.list[i]))
			rules.list[rules.count++] = options.rules.list[i];
	status = sla_evaluate(directory, &rules, planned, false, &result, e);
	if (status == 0) {
		if (result.passed == VERDICT_FAILED)
			*outcome = PROSPECT_FAILS;
		else if (rules.count > 0 && rules.count == options.rules.count)
			*outcome = PROSPECT_PASSES;
		sla_result_free(&result);
	}
	free(rules.list);
	return status;
}

static int
foresee(const char *directory, double planned, struct error *e)
{
	static const int statuses[] = { [PROSPECT_OPEN] = 3, [PROSPECT_FAILS] = 1, [PROSPECT_PASSES] = 0 };
	static const enum verdict_passed verdicts[] = { [PROSPECT_OPEN] = VERDICT_NONE, [PROSPECT_FAILS] = VERDICT_FAILED,
		[PROSPECT_PASSES] = VERDICT_PASSED };
	char *path = memory_format("%s/request_metrics.csv", directory);
	struct follower *follower = follower_new(path, &options.rules);
	struct json_object *output = json_object_new_object();
	enum prospect_outcome outcome = PROSPECT_OPEN;

	if (follower_look(follower, e) == 0 && follower_num_rows(follower) < planned)
		outcome = follower_outcome(follower, planned);
	else if (!error_is_set(e))
		conclude(directory, planned, &outcome, e);
	json_object_object_add(output, "passed", passed_to_json(verdicts[outcome]));
	json_object_object_add(output, "num_rows", json_object_new_int64((int64_t)follower_num_rows(follower)));
	json_object_object_add(output, "num_failed", json_object_new_int64((int64_t)follower_num_failed(follower)));
	json_object_object_add(output, "num_requests", json_object_new_int64((int64_t)planned));
	follower_free(follower);
	free(path);
	if (!error_is_set(e))
		return print(output, statuses[outcome]);
	json_object_put(output);
	return program_report(e);
}

static int
judge(const char *directory, struct error *e)
{
	double planned = (double)options.num_requests;

	if (check_directory(directory, e) < 0 || (planned == 0 && read_planned(directory, &planned, e) < 0))
		return program_report(e);
	if (!options.is_partial)
		return evaluate(directory, planned, e);
	if (planned == 0)
		return program_usage("expected --num-requests N with --partial, as no trial_config.json says how many requests there will be");
	return foresee(directory, planned, e);
}

static int
take_option(int option, struct error *e)
{
	switch (option) {
	case RULE:
		return rules_add_text(&options.rules, optarg, e);
	case RULES:
		options.rules_file = optarg;
		return 0;
	case PARTIAL:
		options.is_partial = true;
		return 0;
	default:
		return program_integer("--num-requests", optarg, 1, 9007199254740992, &options.num_requests, e);
	}
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
		take_option(option, &e);
	}
	if (error_is_set(&e))
		return program_report(&e);
	if ((options.rules.count > 0) + (options.rules_file != NULL) != 1)
		return program_usage("expected either --rule, once or more, or --rules");
	if (options.num_requests && !options.is_partial)
		return program_usage("--num-requests goes with --partial");
	if (argc - optind != 1)
		return program_usage("expected one trial directory, not %d", argc - optind);
	if (options.rules_file && rules_read(options.rules_file, &options.rules, &e) < 0)
		return program_report(&e);
	status = judge(argv[optind], &e);
	rules_free(&options.rules);
	return status;
}
