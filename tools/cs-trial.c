/*
 * cs-trial: runs one trial, unless it is complete already; or those that a job's search needs.
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
 * --status-in-file and --search 0 stands for 1 and 2, too.
 */
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sysexits.h>
#include <unistd.h>

#include "error.h"
#include "harness.h"
#include "interrupt.h"
#include "job.h"
#include "jobserver.h"
#include "memory.h"
#include "process.h"
#include "program.h"
#include "rate.h"
#include "resource.h"
#include "session.h"
#include "speculation.h"
#include "statement.h"
#include "trial.h"
#include "trial_result.h"
#include "verdict.h"

static const char help[] =
	"Usage: cs-trial --job JOB_DIR --qps Q [OPTION]...\n"
	"       cs-trial --job JOB_DIR --search [OPTION]...\n"
	"       cs-trial --dir DIR [OPTION]... [--timeout S] [--env NAME=VALUE]... -- COMMAND [ARG...]\n"
	"Run one trial of a job, or a COMMAND, in a directory that is its cache: a complete trial does not run again.\n"
	"\n"
	"  --job JOB_DIR                    the job's directory, OUTPUT_DIR/jobs/NAME_KEY\n"
	"  --qps Q                          the rate, in requests per second\n"
	"  --search                         run each trial that the job's search needs, until it is over\n"
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

enum { JOB = 256, QPS, SEARCH, DIRECTORY, TIMEOUT, GRACE, ENVIRONMENT, LOCK, KEEP_FAILED, NO_WAIT, STATUS_IN_FILE, DRY_RUN };

static const struct option longopts[] = {
	{ "job", required_argument, NULL, JOB },
	{ "qps", required_argument, NULL, QPS },
	{ "search", no_argument, NULL, SEARCH },
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
	bool searches, keep_failed, no_wait, status_in_file, dry_run;
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
	case SEARCH:
		options.searches = true;
		return 0;
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
	if (options.job && (options.qps > 0) == options.searches)
		return program_usage("expected either --qps Q or --search with --job");
	if (options.job && (options.command[0] || options.num_environment || options.num_locks || options.timeout > 0))
		return program_usage("--env, --lock, --timeout and a COMMAND go with --dir; with --job they come from job.json");
	if (options.directory && options.searches)
		return program_usage("--search goes with --job");
	if (options.directory && options.qps > 0)
		return program_usage("--qps goes with --job; with --dir say --env CS_QPS=Q");
	if (options.searches && (options.no_wait || options.dry_run))
		return program_usage("--no-wait and --dry-run go with one rate; expected --qps Q");
	if (options.directory && !options.command[0])
		return program_usage("expected a COMMAND behind --dir DIR");
	if (options.directory && !options.directory[0])
		return program_usage("--dir: expected the name of a directory");
	return 0;
}

static int
open_job_trial(struct trial *t, struct error *e)
{
	struct job job;
	int status;

	if (job_read(options.job, &job, e) < 0)
		return -1;
	status = trial_from_job(&job, options.qps, t, e);
	job_free(&job);
	return status;
}

static int
open_command_trial(struct trial *t, struct error *e)
{
	struct harness harness;

	harness_from_command(options.command, options.environment, options.num_environment, &harness);
	return trial_from_command(options.directory, &harness, options.timeout > 0 ? options.timeout : INFINITY, t, e);
}

/* What admission.h tells; PEOPLE know the trial by that. */
static void
tell_waiting(const char *text)
{
	program_warn("%s: %s", options.directory ? options.directory : options.job, text);
}

static int
do_trial(struct session *session, struct trial *t, struct trial_result *r, struct error *e)
{
	int status = 0;

	if (session_run(session, t, r, e) < 0)
		status = program_report(e);
	else if (session->signal)
		status = 128 + session->signal;
	else if (r->run_dir)
		status = statement_of_result(t, r, options.status_in_file || options.searches);
	if (session->listeners)
		program_warn("%s: still in use after the trial: %s", t->directory, session->listeners);
	free(session->listeners);
	return status;
}

/* What is asked for: the trial is run, or shown. */
static int
deal_with(struct session *session, struct trial *t, struct error *e)
{
	struct trial_result r;
	int status;

	t->keep_failed = options.keep_failed;
	if (options.dry_run || jobserver_make_has('q'))
		return statement_of_cache(t, options.dry_run);
	if (jobserver_make_has('n'))
		return statement_of_plan(t);
	status = do_trial(session, t, &r, e);
	trial_result_free(&r);
	return status;
}

static int
do_one(struct session *session, struct error *e)
{
	struct trial trial;
	int status;

	if ((options.job ? open_job_trial(&trial, e) : open_command_trial(&trial, e)) < 0)
		return program_report(e);
	status = deal_with(session, &trial, e);
	trial_free(&trial);
	return status;
}

/* The trial of JOB at QPS; its verdict goes to the end of *LIST. Returns the exit status: 0 if it has a result. */
static int
add_trial(struct session *session, const struct job *job, double qps, struct verdict **list, size_t *count, struct error *e)
{
	struct trial trial;
	struct trial_result r;
	char *line;
	int status;

	if (trial_from_job(job, qps, &trial, e) < 0)
		return program_report(e);
	trial.keep_failed = options.keep_failed;
	status = do_trial(session, &trial, &r, e);
	if (status == 0) {
		line = trial_result_line(&r);
		if (verdict_parse_lines(line, strlen(line), trial.run_dir, list, count, e) < 0)
			status = program_report(e);
		free(line);
	}
	trial_result_free(&r);
	trial_free(&trial);
	return status;
}

/* The trials that the job's search needs, one after the other, until it is over or one has no result. */
static int
do_search(struct session *session, struct error *e)
{
	struct verdict *list = NULL;
	size_t count = 0;
	struct job job;
	double next;
	int status = 0;

	if (job_read(options.job, &job, e) < 0)
		return program_report(e);
	prctl(PR_SET_PDEATHSIG, SIGTERM); /* nobody would go on with the job */
	while (status == 0 && speculation_choose(&job.search, list, count, 1, &next) > 0) {
		status = add_trial(session, &job, next, &list, &count, e);
		if (fflush(stdout) != 0)
			break; /* program_finish() says so */
		interrupt_let_through(); /* between two trials a signal ends this process at once */
	}
	free(list);
	job_free(&job);
	return status;
}

int
main(int argc, char **argv)
{
	struct error e = ERROR_NONE;
	struct jobserver jobserver;
	struct session session;
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
	session = (struct session){ .jobserver = &jobserver, .locks = options.locks, .num_locks = options.num_locks,
		.grace = options.grace, .tell = tell_waiting, .is_patient = !options.no_wait };
	status = options.searches ? do_search(&session, &e) : do_one(&session, &e);
	jobserver_close(&jobserver);
	free(options.environment);
	free(options.locks);
	return program_finish(status);
}
