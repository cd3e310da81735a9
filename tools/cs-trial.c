/*
 * cs-trial: runs one trial, unless it is complete already.
 *
 * Reads JOB_DIR/job.json and OUTPUT_DIR/sla.json, or takes a command of the user's own. Writes one
 * trial directory (trial.h says what is in it) and holds its lock, DIR/.lock, meanwhile, and, while
 * the harness runs, the locks of what that uses (resource.h). It waits for them without its job slot of
 * make's; under make -n it only prints what it would run. The harness runs under a guardian process (guardian.h), which ends
 * every process of the trial whatever happens to this one. TERM, INT and HUP do the same.
 *
 * Exit status: 0 the trial has a verdict, 1 the harness failed or its data cannot be judged, 2 timed
 * out, 128+N ended by signal N, 64 usage, 65 job.json or sla.json is bad, 66 missing, 69 no such
 * harness (or GPU), 71 no process could be started, 73 the directory cannot be used, 74 I/O. With
 * --status-in-file 0 stands for 1 and 2, too.
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "admission.h"
#include "assessment.h"
#include "claim.h"
#include "error.h"
#include "execution.h"
#include "file.h"
#include "harness.h"
#include "input.h"
#include "interrupt.h"
#include "job.h"
#include "jobserver.h"
#include "log.h"
#include "memory.h"
#include "process.h"
#include "program.h"
#include "rate.h"
#include "resource.h"
#include "trial.h"
#include "trial_result.h"

static const char help[] =
	"Usage: cs-trial --job JOB_DIR --qps Q [OPTION]...\n"
	"       cs-trial --dir DIR [OPTION]... [--timeout S] [--env NAME=VALUE]... -- COMMAND [ARG...]\n"
	"Run one trial of a job, or a COMMAND, in a directory that is its cache: a complete trial does not run again.\n"
	"\n"
	"  --job JOB_DIR                    the job's directory, OUTPUT_DIR/jobs/NAME_KEY\n"
	"  --qps Q                          the rate, in requests per second\n"
	"  --dir DIR                        the trial's directory; what is in it is removed before COMMAND runs\n"
	"  --timeout S                      end COMMAND after S seconds; 0 (the default): never\n"
	"  --env NAME=VALUE                 set NAME in COMMAND's environment\n"
	"  --lock NAME                      run only while nobody else holds the lock NAME of this machine: gpu-0,\n"
	"                                   port-8000, host, or any other\n"
	"  --grace S                        seconds between TERM and KILL when the trial's processes are ended (30)\n"
	"  --keep-failed                    however many requests failed, the trial is complete\n"
	"  --no-wait                        do nothing, and exit 0, where another trial holds what this one uses\n"
	"  --status-in-file                 exit 0 whenever trial_result.json was written, whatever it says,\n"
	"                                   and print its path\n"
	"  --dry-run                        print the result that a complete trial has and exit 0, or exit 1\n"
	"                                   where the trial would have to run; write nothing\n"
	PROGRAM_HELP_LINES
	"\n"
	"Exit status: 0 the trial has a verdict, 1 the harness failed or its data cannot be judged, 2 timed out,\n"
	"128+N ended by signal N, 64 and up other errors.\n"
	"\n"
	"Example: cs-trial --dir runs/4 --timeout 60 --env CS_QPS=4 -- ./bench.sh\n";

enum { JOB = 256, QPS, DIRECTORY, TIMEOUT, GRACE, ENVIRONMENT, LOCK, KEEP_FAILED, NO_WAIT, STATUS_IN_FILE, DRY_RUN };

static const struct option longopts[] = {
	{ "job", required_argument, NULL, JOB },
	{ "qps", required_argument, NULL, QPS },
	{ "dir", required_argument, NULL, DIRECTORY },
	{ "timeout", required_argument, NULL, TIMEOUT },
	{ "grace", required_argument, NULL, GRACE },
	{ "env", required_argument, NULL, ENVIRONMENT },
	{ "lock", required_argument, NULL, LOCK },
	{ "keep-failed", no_argument, NULL, KEEP_FAILED },
	{ "no-wait", no_argument, NULL, NO_WAIT },
	{ "status-in-file", no_argument, NULL, STATUS_IN_FILE },
	{ "dry-run", no_argument, NULL, DRY_RUN },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, PROGRAM_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

static struct options {
	const char *job, *directory;
	double qps;           /* 0: not given */
	double timeout;       /* seconds; 0: none */
	double grace;         /* seconds */
	char **environment;   /* NAME=VALUE */
	size_t num_environment;
	char **locks;         /* names */
	size_t num_locks;
	char **command;
	bool keep_failed, no_wait, status_in_file, dry_run;
} options = { .grace = 30 };

static int
add_environment(char *pair, struct error *e)
{
	static const char *const ours[] = { "CS_TRIAL_DIR=", "CS_TRIAL_CONFIG=", PROCESS_MARK "=" };

	if (pair[0] == '=' || !strchr(pair, '='))
		return error_add(e, EX_USAGE, NULL, 0, "--env: '%s' will not do; expected NAME=VALUE", pair);
	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
		if (strncmp(pair, ours[i], strlen(ours[i])) == 0)
			return error_add(e, EX_USAGE, NULL, 0, "--env: cs-trial itself sets %.*s",
			    (int)strlen(ours[i]) - 1, ours[i]);
	options.environment = memory_resize(options.environment, options.num_environment + 1, sizeof *options.environment);
	options.environment[options.num_environment++] = pair;
	return 0;
}

static int
add_lock(char *name, struct error *e)
{
	if (!resource_is_name(name))
		return error_add(e, EX_USAGE, NULL, 0,
		    "--lock: '%s' will not do; expected a name without a slash that does not begin with a point", name);
	options.locks = memory_resize(options.locks, options.num_locks + 1, sizeof *options.locks);
	options.locks[options.num_locks++] = name;
	return 0;
}

static int
take_option(int c, struct error *e)
{
	switch (c) {
	case JOB:
		options.job = optarg;
		return 0;
	case QPS:
		return rate_parse("--qps", optarg, &options.qps, e);
	case DIRECTORY:
		options.directory = optarg;
		return 0;
	case TIMEOUT:
		return program_number("--timeout", optarg, 0, 1e9, &options.timeout, e);
	case GRACE:
		return program_number("--grace", optarg, 0, 1e9, &options.grace, e);
	case ENVIRONMENT:
		return add_environment(optarg, e);
	case LOCK:
		return add_lock(optarg, e);
	case KEEP_FAILED:
		options.keep_failed = true;
		return 0;
	case NO_WAIT:
		options.no_wait = true;
		return 0;
	case STATUS_IN_FILE:
		options.status_in_file = true;
		return 0;
	default:
		options.dry_run = true;
		return 0;
	}
}

/* Whether the options and words fit together; says what does not. */
static int
check_options(void)
{
	if (!options.job == !options.directory)
		return program_usage("expected either --job JOB_DIR --qps Q or --dir DIR -- COMMAND");
	if (options.job && options.qps == 0)
		return program_usage("expected --qps Q with --job");
	if (options.job && (options.command[0] || options.num_environment || options.num_locks || options.timeout > 0))
		return program_usage("--env, --lock, --timeout and a COMMAND go with --dir; with --job they come from job.json");
	if (options.directory && options.qps > 0)
		return program_usage("--qps goes with --job; with --dir say --env CS_QPS=Q");
	if (options.directory && !options.command[0])
		return program_usage("expected a COMMAND behind --dir DIR");
	if (options.directory && !options.directory[0])
		return program_usage("--dir: expected the name of a directory");
	return 0;
}

static int
open_trial(struct trial *t, struct error *e)
{
	double timeout = options.timeout > 0 ? options.timeout : INFINITY;
	struct harness harness;
	struct job job;
	int status;

	if (options.job) {
		if (job_read(options.job, &job, e) < 0)
			return -1;
		status = trial_from_job(&job, options.qps, t, e);
		job_free(&job);
	} else {
		harness_from_command(options.command, options.environment, options.num_environment, &harness);
		status = trial_from_command(options.directory, &harness, timeout, t, e);
	}
	if (status == 0)
		t->keep_failed = options.keep_failed;
	return status;
}

/* Says what the trial came to: always for a job's, else if it is not as it should be. */
static void
tell(const struct trial *t, const struct trial_result *r)
{
	char *newer = r->cached ? input_newer_than_results(t) : NULL;
	char *note = newer ? memory_format("%s is newer: to run it again, remove %s", newer, t->directory) : NULL;
	char *text = trial_result_summary(r, t->title, t->timeout, note), *tail;

	if (t->of_job || r->error || r->timed_out || note)
		fprintf(stderr, "%s\n", text);
	if (r->timed_out && r->harness_status == 2 && !(r->elapsed > t->timeout / 2)) {
		tail = log_tail(t->directory);
		program_warn("%s: exit status 2 means a time-out, but it came after %.1f s; last lines of the log: %s",
		    t->directory, r->elapsed, tail);
		free(tail);
	}
	free(text);
	free(note);
	free(newer);
}

static int
record(const struct trial *t, const struct trial_result *r, struct error *e)
{
	char *path = trial_path(t, "trial_result.json"), *line = trial_result_line(r);
	int status = file_update(path, line, strlen(line), e);

	if (status >= 0 && options.status_in_file)
		puts(path);
	free(line);
	free(path);
	if (status < 0)
		return program_report(e);
	tell(t, r);
	return options.status_in_file ? program_finish(0) : r->error ? 1 : r->timed_out ? 2 : 0;
}

/* What admission.h tells; PEOPLE know the trial by that. */
static void
tell_waiting(const char *text)
{
	program_warn("%s: %s", options.directory ? options.directory : options.job, text);
}

/* Takes what the trial uses and runs it; R is filled unless a signal came. */
static int
take_and_run(struct trial *t, int lock, struct admission *a, struct trial_result *r, struct error *e)
{
	struct execution x = { .trial = t, .lock = lock, .claim = &a->claim, .interrupts = a->interrupts, .grace = options.grace };
	int status;

	claim_init(&t->demand, &t->pool, &a->claim);
	for (size_t i = 0; i < options.num_locks; i++)
		claim_add(&a->claim, options.locks[i]);
	status = admission_take_claim(a, e);
	if (status == 0 && a->signal == 0) {
		trial_assign(t, &a->claim);
		status = execution_run(&x, r, e);
		a->signal = x.signal;
	}
	if (x.listeners)
		program_warn("%s: still in use after the trial: %s", t->directory, x.listeners);
	free(x.listeners);
	claim_free(&a->claim);
	return status;
}

static int
do_trial(struct trial *t, struct jobserver *jobserver, struct error *e)
{
	struct admission admission = { .trial = t, .jobserver = jobserver, .interrupts = interrupt_open(),
		.tell = tell_waiting, .is_patient = !options.no_wait };
	int lock = admission_lock_directory(&admission, e), status = 0;
	struct trial_result r;

	trial_result_init(&r);
	if (lock >= 0 && admission.signal == 0 && !assessment_of_cache(t, &r)) {
		trial_result_free(&r);
		take_and_run(t, lock, &admission, &r, e);
	}
	if (error_is_set(e))
		status = program_report(e);
	else if (r.run_dir)
		status = record(t, &r, e);
	trial_result_free(&r);
	if (lock >= 0)
		close(lock);
	close(admission.interrupts);
	jobserver_close(jobserver);
	return admission.signal ? 128 + admission.signal : status;
}

/* Under make -n: prints what would be run. */
static int
show_plan(const struct trial *t)
{
	struct trial_result r;
	bool complete;

	trial_result_init(&r);
	complete = assessment_of_cache(t, &r);
	trial_result_free(&r);
	printf("%s: ", t->run_dir);
	fputs(complete ? "is complete" : "would run", stdout);
	for (char **word = t->harness.argv; !complete && *word; word++)
		printf(" %s", *word);
	putchar('\n');
	return program_finish(0);
}

/* Whether the trial is complete, as a status; its result on stdout, unless QUIET (make -q asks for the status alone). */
static int
show_cached(const struct trial *t, bool quiet)
{
	struct trial_result r;
	int status = 1;
	char *line;

	trial_result_init(&r);
	if (assessment_of_cache(t, &r)) {
		line = trial_result_line(&r);
		if (!quiet)
			fputs(line, stdout);
		free(line);
		status = 0;
	}
	trial_result_free(&r);
	return program_finish(status);
}

int
main(int argc, char **argv)
{
	struct error e = ERROR_NONE;
	struct jobserver jobserver;
	struct trial trial;
	int option, status;

	jobserver_find(&jobserver);
	program_fill_descriptors();
	program_start("cs-trial");
	while ((option = getopt_long(argc, argv, "+h", longopts, NULL)) != -1) {
		if (option == 'h')
			return program_help(help);
		if (option == PROGRAM_OPTION_VERSION)
			return program_version();
		if (option == '?')
			return program_usage("expected the options that --help lists");
		take_option(option, &e);
	}
	options.command = argv + optind;
	if (error_is_set(&e))
		return program_report(&e);
	if (check_options() != 0)
		return EX_USAGE;
	if (open_trial(&trial, &e) < 0)
		return program_report(&e);
	if (options.dry_run || jobserver_make_has('q'))
		status = show_cached(&trial, !options.dry_run);
	else
		status = jobserver_make_has('n') ? show_plan(&trial) : do_trial(&trial, &jobserver, &e);
	trial_free(&trial);
	free(options.environment);
	free(options.locks);
	return status;
}
