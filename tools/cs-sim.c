/*
 * cs-sim: a simulated serving system, the embedded benchmark harness.
 *
 * Reads a merged benchmark config (a flat JSON object), and the trace files it names. Writes request_metrics.csv,
 * worker_timeline.csv and, last, benchmark_results.json into the output directory. Same config, same bytes, on any machine.
 *
 * Exit status: 0 done; 64 usage; 65 bad config or trace; 66 no such file; 73 or 74 the files cannot be
 * written.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "file.h"
#include "memory.h"
#include "program.h"
#include "rate.h"
#include "settings.h"
#include "simulation.h"

static const char help[] =
    "usage: cs-sim [--config FILE] [--output-dir DIR] [--qps Q]\n"
    "\n"
    "Simulates a serving system at Q requests per second, as fast as it can, and writes into DIR what a benchmark\n"
    "of a real one would: request_metrics.csv, worker_timeline.csv and benchmark_results.json.\n"
    "\n"
    "      --config FILE                the merged benchmark config, JSON (default: $CS_TRIAL_CONFIG)\n"
    "      --output-dir DIR             (default: $CS_TRIAL_DIR, or the config's output_dir)\n"
    "      --qps Q                      (default: $CS_QPS, or the config's qps)\n"
    PROGRAM_HELP_LINES;

static struct options {
	const char *config, *output_dir, *qps;
} options;

/* The word that stands for an option that is not given: from the environment, or NULL. */
static const char *
from_environment(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* Reads the options. -1: go on; otherwise the exit status. */
static int
read_options(int argc, char **argv)
{
	static const struct option table[] = {
		{ "config", required_argument, NULL, 'c' },
		{ "output-dir", required_argument, NULL, 'o' },
		{ "qps", required_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, PROGRAM_OPTION_VERSION },
		{ NULL, 0, NULL, 0 }
	};
	int c;

	options = (struct options){ from_environment("CS_TRIAL_CONFIG"), from_environment("CS_TRIAL_DIR"),
		from_environment("CS_QPS") };
	while ((c = getopt_long(argc, argv, "h", table, NULL)) != -1) {
		switch (c) {
		case 'c':
			options.config = optarg;
			break;
		case 'o':
			options.output_dir = optarg;
			break;
		case 'q':
			options.qps = optarg;
			break;
		case 'h':
			return program_help(help);
		case PROGRAM_OPTION_VERSION:
			return program_version();
		default:
			return program_usage("expected options as in the help");
		}
	}
	if (optind < argc)
		return program_usage("'%s' is one argument too many", argv[optind]);
	if (!options.config)
		return program_usage("no config: give --config FILE, or set CS_TRIAL_CONFIG");
	return -1;
}

/* The rate and, where no option gives it, the directory, from SETTINGS. */
static double
read_rate(struct settings *settings, struct error *e)
{
	double qps = RATE_MAX;

	if (options.qps)
		rate_parse("--qps", options.qps, &qps, e);
	else
		qps = settings_number(settings, "qps", 1e-4, RATE_MAX);
	if (!options.output_dir)
		options.output_dir = settings_text(settings, "output_dir");
	return qps;
}

/* In place at once, but not synced: what a power failure leaves of a run is for the caller to judge, and costs it a run. */
static int
write_results(const struct simulation *s, struct error *e)
{
	char *path = memory_format("%s/benchmark_results.json", options.output_dir);
	char *temporary = memory_format("%s.tmp", path);
	FILE *file = fopen(temporary, "we");
	bool written = false;

	if (file) {
		fprintf(file, "{\"summary\": {\"num_successful\": %" PRIu64 ", \"num_failed\": %" PRIu64
		    ", \"simulated\": true}}\n", s->num_finished, s->num_failed);
		written = fclose(file) == 0 && rename(temporary, path) == 0;
	}
	if (!written)
		error_add_errno(e, file ? EX_IOERR : EX_CANTCREAT, path, "cannot write");
	free(temporary);
	free(path);
	return written ? 0 : -1;
}

static void
warn_of_unknown(const struct settings *settings)
{
	char *text = settings_unknown(settings), *rest = text, *line;

	while ((line = strsep(&rest, "\n")) != NULL)
		program_warn("%s", line);
	free(text);
}

static int
simulate(struct settings *settings, struct error *e)
{
	static const char *const models[] = { "serving", "queue", NULL };
	struct simulation s = { 0 };
	char *results;
	double qps = read_rate(settings, e);
	int is_queue = settings_choice(settings, "sim_model", models), status;

	workload_init(&s.workload, settings, qps, e);
	if (!error_is_set(e) && file_make_directory(options.output_dir, e) == 0) {
		/* an earlier run's must not stand beside half of this one's rows */
		results = memory_format("%s/benchmark_results.json", options.output_dir);
		file_remove(results, e);
		free(results);
	}
	status = is_queue ? queueing_run(&s, settings, options.output_dir, e)
	    : serving_run(&s, settings, options.output_dir, e);
	if (simulation_close(&s, e) < 0)
		status = -1;
	workload_free(&s.workload);
	return status < 0 ? -1 : write_results(&s, e);
}

int
main(int argc, char **argv)
{
	struct error e = ERROR_NONE;
	struct settings *settings;
	int status;

	program_start("cs-sim");
	if ((status = read_options(argc, argv)) >= 0)
		return status;
	settings = settings_read(options.config, &e);
	if (settings) {
		warn_of_unknown(settings);
		simulate(settings, &e);
	}
	settings_free(settings);
	return program_report(&e);
}
