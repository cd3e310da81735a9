#include "guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "harness.h"
#include "interrupt.h"
#include "memory.h"
#include "process.h"

enum { QUESTION_MIN = 10, QUESTION_MAX = 250 }; /* milliseconds */

/* Milliseconds for poll() until END on the clock; -1: no end. At most an hour, then the caller looks again. */
static int
milliseconds_until(double end)
{
	double left = ceil((end - process_clock()) * 1000);

	if (isinf(end))
		return -1;
	return left < 0 ? 0 : left > 3.6e6 ? 3600000 : (int)left;
}

/* Reaps what has ended; whether HARNESS is among it, with its status. */
static bool
reap(pid_t harness, int *status)
{
	bool ended = false;
	int word;
	pid_t pid;

	while ((pid = waitpid(-1, &word, WNOHANG)) > 0) {
		if (pid != harness)
			continue;
		*status = word;
		ended = true;
	}
	return ended;
}

/* Waits for the first of: the harness ends, the time is up, P speaks or is gone. */
static enum guardian_end
watch(const struct guardian_task *task, int parent, pid_t harness, int *status)
{
	struct signalfd_siginfo info;
	struct pollfd p[2] = { { .fd = parent, .events = POLLIN }, { .events = POLLIN } };
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	p[1].fd = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	for (;;) {
		if (reap(harness, status))
			return GUARDIAN_EXITED;
		if (process_clock() >= task->start + task->timeout)
			return GUARDIAN_TIMED_OUT;
		poll(p, 2, milliseconds_until(task->start + task->timeout));
		if (p[0].revents)
			return reap(harness, status) ? GUARDIAN_EXITED : GUARDIAN_STOPPED;
		while (read(p[1].fd, &info, sizeof info) > 0)
			continue;
	}
}

/* Leaves P's session and all that it has open. */
static void
detach(const struct guardian_task *task, int parent)
{
	int *keep = memory_alloc(task->num_locks + 2, sizeof *keep);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t all;

	setsid();
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_NAME, "cs-guardian");
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	if (task->num_locks)
		memcpy(keep, task->locks, task->num_locks * sizeof *keep);
	keep[task->num_locks] = parent;
	keep[task->num_locks + 1] = task->log;
	process_close_all_but(keep, task->num_locks + 2);
}

static _Noreturn void
guard(const struct guardian_task *task, char **environment, int parent)
{
	struct guardian_outcome outcome = { .end = GUARDIAN_EXITED, .status = W_EXITCODE(126, 0) };
	pid_t self, harness;

	detach(task, parent);
	self = getpid();
	harness = fork();
	if (harness == 0)
		harness_execute(task->harness, environment, task->log, self);
	if (harness < 0)
		dprintf(task->log, "cs-trial: cannot start a process: %s\n", strerror(errno));
	close(task->log);
	if (harness > 0)
		outcome.end = watch(task, parent, harness, &outcome.status);
	outcome.elapsed = process_clock() - task->start;
	process_end(self, NULL, task->grace);
	outcome.settled = task->settle(&outcome, task->settle_data);
	send(parent, &outcome, sizeof outcome, MSG_NOSIGNAL);
	_exit(0);
}

/* Takes G's report. That G ended without having read P's word is told first, once, as an error. */
static bool
take_report(int child, struct guardian_outcome *outcome)
{
	ssize_t n;

	do
		n = recv(child, outcome, sizeof *outcome, 0);
	while (n < 0 && (errno == ECONNRESET || errno == EINTR));
	return n == (ssize_t)sizeof *outcome;
}

/* Milliseconds until P asks once more whether the harness need not go on: a fiftieth of what it took so far. */
static int
milliseconds_to_question(const struct guardian_task *task)
{
	double part = (process_clock() - task->start) * 1000 / 50;

	return part < QUESTION_MIN ? QUESTION_MIN : part > QUESTION_MAX ? QUESTION_MAX : (int)part;
}

/* Waits for G's report, and has it end everything at the first signal, or when the harness need not go on. False: G is gone without one. */
static bool
attend(const struct guardian_task *task, int child, int interrupts, struct guardian_outcome *outcome, int *signal)
{
	struct pollfd p[2] = { { .fd = child, .events = POLLIN }, { .fd = interrupts, .events = POLLIN } };
	bool is_ending = false;

	for (;;) {
		int found;

		if (poll(p, 2, task->is_over && !is_ending ? milliseconds_to_question(task) : -1) < 0 && errno != EINTR)
			return false;
		if (p[1].revents && (found = interrupt_read(interrupts)) != 0 && *signal == 0)
			*signal = found;
		if (p[0].revents)
			return take_report(child, outcome);
		if (!is_ending && (*signal || (task->is_over && task->is_over(task->is_over_data)))) {
			is_ending = true;
			send(child, "", 1, MSG_NOSIGNAL);
		}
	}
}

int
guardian_run(const struct guardian_task *task, int interrupts, struct guardian_outcome *outcome, int *signal,
    struct error *e)
{
	/* Children from before cs-trial was executed in this process are not ours to end. */
	bool alone = !process_has_children();
	char **environment;
	int pair[2];
	pid_t guardian;

	*signal = 0;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return error_add_errno(e, EX_OSERR, NULL, "cannot talk to a guardian process");
	if (alone)
		prctl(PR_SET_CHILD_SUBREAPER, 1);
	environment = harness_environment(task->harness);
	guardian = fork();
	if (guardian < 0) {
		error_add_errno(e, EX_OSERR, NULL, "cannot start a guardian process");
		close(pair[0]);
		close(pair[1]);
		free(environment);
		return -1;
	}
	if (guardian == 0) {
		close(pair[0]);
		guard(task, environment, pair[1]);
	}
	free(environment);
	close(pair[1]);
	if (!attend(task, pair[0], interrupts, outcome, signal)) {
		*outcome = (struct guardian_outcome){ .end = *signal ? GUARDIAN_STOPPED : GUARDIAN_LOST };
		outcome->elapsed = process_clock() - task->start;
		process_end(alone ? getpid() : 0, task->mark, task->grace);
		outcome->settled = task->settle(outcome, task->settle_data);
	}
	close(pair[0]);
	waitpid(guardian, NULL, 0);
	return 0;
}
