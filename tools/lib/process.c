/*
 * Ending processes. What is known of them is out of date at once (census.h). So signals go to whole
 * process groups where all known members are ours: the kernel lets no fork escape such a signal. TERM
 * is sent once, but again to those that cannot have had it: they would not be alive, or were in
 * another group. (A shell's child that was about to become its program may lose it.) KILL is sent until none is left.
 */
#include "process.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "census.h"

/* What is to be ended, and the census by which it was sent TERM. */
struct quarry {
	pid_t root;
	const char *mark;
	struct census told;
};

double
process_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

bool
process_has_children(void)
{
	siginfo_t info;

	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* Sends SIGNAL to P, or to its group where that is all ours; false if it is not for P to be sent it, or has gone. */
static bool
send_signal(const struct census *c, const struct census_entry *p, int signal, size_t *refused)
{
	bool whole = census_owns_group(c, p);
	pid_t target = whole ? -p->group : p->pid;

	if (whole && !census_is_first_of_group(c, p))
		return false;
	if (kill(target, signal) != 0) {
		*refused += errno == EPERM;
		return false;
	}
	if (signal == SIGTERM)
		kill(target, SIGCONT); /* one that was stopped could not end */
	return true;
}

/* Sends TERM to P, which was meant to be sent it before, if it cannot have had it. */
static void
remind(struct census *told, const struct census_entry *p)
{
	struct census_entry *before = census_find(told, p->pid);

	if (!before || !before->ours || (before->group == p->group && !census_would_end(p->pid, SIGTERM)))
		return;
	before->group = p->group;
	kill(p->pid, SIGTERM);
}

/* Sends SIGNAL (0: reminds of TERM) to all of Q: how many of them, or of their groups, were sent it, and *REFUSED it. */
static size_t
signal_all(struct quarry *q, int signal, size_t *refused)
{
	struct census now = census_take(q->root, PROCESS_MARK, q->mark);
	size_t reached = 0;

	for (const struct census_entry *p = now.list; p < now.list + now.count; p++) {
		if (!p->ours)
			continue;
		reached += send_signal(&now, p, signal, refused);
		if (signal == 0)
			remind(&q->told, p);
	}
	if (signal == SIGTERM)
		q->told = now;
	else
		census_free(&now);
	return reached;
}

/* Waits for what has ended. */
static void
reap(void)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		continue;
}

/* Sleeps until a child ends, SECONDS at the most. */
static void
pause_for(double seconds)
{
	struct timespec time = { (time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9) };
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigtimedwait(&child, NULL, &time);
}

/* Sends SIGNAL to what is left of Q; whether there was anything. */
static bool
any_left(struct quarry *q, int signal)
{
	bool has_children = false;
	size_t reached, refused = 0;

	if (q->root == getpid()) {
		reap();
		has_children = process_has_children();
		if (!q->mark && !has_children)
			return false; /* all of ours descend from us, and orphans come to us */
	}
	reached = signal_all(q, signal, &refused);
	return reached > 0 || (has_children && refused == 0); /* one that was not in the picture is there all the same */
}

/* Whether all of Q, sent TERM, ended within GRACE seconds. */
static bool
wait_for_end(struct quarry *q, double grace)
{
	double end = process_clock() + grace, left;

	for (double nap = 0.002; (left = end - process_clock()) > 0; nap = nap < 0.1 ? 2 * nap : nap) {
		pause_for(nap < left ? nap : left);
		if (!any_left(q, 0))
			return true;
	}
	return false;
}

void
process_end(pid_t root, const char *mark, double grace)
{
	struct quarry q = { .root = root, .mark = mark };

	if (any_left(&q, SIGTERM) && !wait_for_end(&q, grace))
		while (any_left(&q, SIGKILL))
			pause_for(0.01);
	census_free(&q.told);
}

void
process_close_all_but(const int *keep, size_t count)
{
	int low = 3;

	while (low >= 0) {
		int next = -1; /* the lowest to keep from LOW up */

		for (size_t i = 0; i < count; i++)
			if (keep[i] >= low && (next < 0 || keep[i] < next))
				next = keep[i];
		if (next != low && close_range((unsigned)low, next < 0 ? ~0u : (unsigned)next - 1, 0) != 0)
			for (int fd = low; fd < (next < 0 ? (int)sysconf(_SC_OPEN_MAX) : next); fd++)
				close(fd);
		low = next < 0 ? -1 : next + 1;
	}
}
