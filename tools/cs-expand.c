/*
 * cs-expand: expands a config into jobs.
 *
 * Reads capacity_search.yaml and checks all of it. With an output directory it writes the tree that
 * make searches (output.h), each file by temporary name, and only those that change; without one it
 * prints the jobs as JSON lines. Locks nothing: capacity-search does.
 *
 * Exit status: 0 done, 64 usage, 66 no config, 73 the output directory cannot be written (74: is full),
 * 78 faults in the config, all of them reported; then nothing is written.
 */
#include <getopt.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>

#include "config.h"
#include "error.h"
#include "json.h"
#include "memory.h"
#include "output.h"
#include "program.h"
#include "rate.h"

static const char help[] =
	"Usage: cs-expand --config-path FILE [--output-dir DIR] [OPTION...]\n"
	"Check a config and expand it into jobs: print them, one JSON object a line, or write the\n"
	"directory that make searches.\n"
	"\n"
	"  --config-path FILE               the config, see capacity_search.yaml(5)\n"
	"  --output-dir DIR                 write DIR; what does not change keeps its time\n"
	"  --harness NAME                   the harness, instead of the config's top-level one\n"
	"  --max-iterations N               adaptive searches: trials at the most\n"
	"  --min-search-granularity-pct P   adaptive searches: stop when the bracket is narrower than\n"
	"                                   P per cent of its upper end\n"
	"  --max-qps-cap Q                  adaptive searches: never above Q requests per second\n"
	"  --benchmark-timeout S            seconds for a trial; 0 or less: no time-out\n"
	PROGRAM_HELP_LINES
	"\n"
	"Exit status: 0 done, 78 faults in the config, 64 and up another error.\n"
	"\n"
	"Example: cs-expand --config-path capacity_search.yaml | jq -r .directory\n";

enum { CONFIG_PATH = 256, OUTPUT_DIR, HARNESS, MAX_ITERATIONS, GRANULARITY, CAP, BENCHMARK_TIMEOUT };

static const struct option longopts[] = {
	{ "config-path", required_argument, NULL, CONFIG_PATH },
	{ "output-dir", required_argument, NULL, OUTPUT_DIR },
	{ "harness", required_argument, NULL, HARNESS },
	{ "max-iterations", required_argument, NULL, MAX_ITERATIONS },
	{ "min-search-granularity-pct", required_argument, NULL, GRANULARITY },
	{ "max-qps-cap", required_argument, NULL, CAP },
	{ "benchmark-timeout", required_argument, NULL, BENCHMARK_TIMEOUT },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, PROGRAM_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

static struct options {
	const char *config_path;
	const char *output_dir;
	struct config_overrides overrides;
} options;

static int
set_option(int option, const char *text, struct error *e)
{
	struct config_overrides *over = &options.overrides;

	switch (option) {
	case CONFIG_PATH:
		options.config_path = text;
		return 0;
	case OUTPUT_DIR:
		options.output_dir = text;
		return 0;
	case HARNESS:
		over->harness = text;
		return 0;
	case MAX_ITERATIONS:
		return program_integer("--max-iterations", text, 1, 1000000, &over->max_iterations, e);
	case GRANULARITY:
		return program_number("--min-search-granularity-pct", text, 1e-12, 1e12,
		    &over->min_search_granularity_pct, e);
	case CAP:
		return program_number("--max-qps-cap", text, 1e-4, RATE_MAX, &over->max_qps_cap, e);
	default:
		over->has_benchmark_timeout = true;
		return program_number("--benchmark-timeout", text, -1e9, 1e9, &over->benchmark_timeout, e);
	}
}

static void
print_jobs(const struct config *config)
{
	for (size_t i = 0; i < config->num_jobs; i++) {
		struct json_object *json = config->jobs[i].json;
		char *directory = memory_format("jobs/%s", config->jobs[i].directory_name), *line;

		json_object_object_add(json, "directory", json_object_new_string(directory));
		line = json_line(json);
		fputs(line, stdout);
		free(line);
		free(directory);
	}
}

static int
expand(struct error *e)
{
	struct config config;
	int status = 0;

	if (config_read(options.config_path, &options.overrides, &config, e) < 0)
		return program_report(e);
	if (config.is_simulated)
		program_warn("%s: no harness is given: the results are simulated (harness: sim)", options.config_path);
	if (config.unplanned)
		program_warn("%s: early_stop ends no trial of the job %s, which gives no num_requests", options.config_path,
		    config.unplanned);
	if (!options.output_dir)
		print_jobs(&config);
	else if (output_write(options.output_dir, &config, e) < 0)
		status = program_report(e);
	config_free(&config);
	return program_finish(status);
}

int
main(int argc, char **argv)
{
	struct error e = ERROR_NONE;
	int option;

	program_start("cs-expand");
	while ((option = getopt_long(argc, argv, "h", longopts, NULL)) != -1) {
		if (option == 'h')
			return program_help(help);
		if (option == PROGRAM_OPTION_VERSION)
			return program_version();
		if (option == '?')
			return program_usage("expected the options that --help lists");
		if (set_option(option, optarg, &e) < 0)
			return program_report(&e);
	}
	if (optind < argc)
		return program_usage("'%s' is no option; expected options only", argv[optind]);
	if (!options.config_path)
		return program_usage("expected --config-path FILE");
	if (options.output_dir && !*options.output_dir)
		return program_usage("--output-dir is empty; expected a directory");
	return expand(&e);
}
