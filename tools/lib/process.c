/*
 * /proc/PID/stat gives each process' parent, group and state; one pass over /proc is a picture of the
 * tree that is out of date at once. Signals therefore go to whole process groups where all known
 * members are ours: the kernel lets no fork escape such a signal. KILL is repeated until a pass
 * finds none.
 */
#include "process.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "memory.h"

struct process {
	pid_t pid, parent, group;
	bool ours;
};

struct picture {
	struct process *list; /* by pid */
	size_t count;
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

/* Reads what /proc says of PID; false if it is gone, or has ended and only waits to be reaped. */
static bool
read_process(int proc, const char *pid, struct process *p)
{
	char path[64], text[1024], *rest;
	ssize_t n;
	char state;
	int fd;

	snprintf(path, sizeof path, "%.20s/stat", pid);
	if ((fd = openat(proc, path, O_RDONLY | O_CLOEXEC)) < 0)
		return false;
	n = read(fd, text, sizeof text - 1);
	close(fd);
	if (n <= 0)
		return false;
	text[n] = '\0';
	rest = strrchr(text, ')'); /* the name before it may hold anything */
	p->pid = (pid_t)atol(pid);
	p->ours = false;
	return rest && sscanf(rest + 1, " %c %d %d", &state, &p->parent, &p->group) == 3 && state != 'Z' && state != 'X';
}

static int
compare_pids(const void *a, const void *b)
{
	const struct process *p = a, *q = b;

	return (p->pid > q->pid) - (p->pid < q->pid);
}

static struct picture
take_picture(void)
{
	struct picture all = { NULL, 0 };
	DIR *directory = opendir("/proc");
	struct dirent *entry;
	size_t room = 0;

	while (directory && (entry = readdir(directory)) != NULL) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		if (all.count == room)
			all.list = memory_resize(all.list, room = 2 * room + 64, sizeof *all.list);
		if (read_process(dirfd(directory), entry->d_name, &all.list[all.count]))
			all.count++;
	}
	if (directory)
		closedir(directory);
	if (all.count)
		qsort(all.list, all.count, sizeof *all.list, compare_pids);
	return all;
}

/* Whether PID was started with MARK in its environment; false where we may not look. */
static bool
carries_mark(pid_t pid, const char *mark)
{
	char path[64], *wanted, *environment;
	struct error ignored = ERROR_NONE;
	bool found = false;
	size_t size;

	snprintf(path, sizeof path, "/proc/%ld/environ", (long)pid);
	environment = file_read(path, &size, &ignored);
	error_clear(&ignored);
	if (!environment)
		return false;
	wanted = memory_format(PROCESS_MARK "=%s", mark);
	for (size_t at = 0; at < size && !found; at += strlen(environment + at) + 1)
		found = strcmp(environment + at, wanted) == 0;
	free(wanted);
	free(environment);
	return found;
}

static bool
is_ours(const struct picture *all, pid_t pid)
{
	struct process key = { pid, 0, 0, false };
	const struct process *found = bsearch(&key, all->list, all->count, sizeof *all->list, compare_pids);

	return found && found->ours;
}

/* Finds ours: the marked ones, then children of ours until a pass adds none. */
static void
find_ours(struct picture *all, pid_t root, const char *mark)
{
	bool more = all->count > 0;

	for (struct process *p = all->list; mark && p < all->list + all->count; p++)
		p->ours = p->pid != getpid() && carries_mark(p->pid, mark);
	while (more) {
		more = false;
		for (struct process *p = all->list; p < all->list + all->count; p++) {
			if (p->ours || p->pid == root || p->pid == getpid())
				continue;
			p->ours = (root && p->parent == root) || is_ours(all, p->parent);
			more = more || p->ours;
		}
	}
}

/* Whether P is the first of its group in the picture, and all the group's members are ours. */
static bool
leads_own_group(const struct picture *all, const struct process *p, bool *is_first)
{
	bool whole = p->group > 1;

	*is_first = true;
	for (const struct process *other = all->list; other < all->list + all->count; other++) {
		if (other->group != p->group)
			continue;
		whole = whole && other->ours;
		*is_first = *is_first && (!other->ours || other >= p);
	}
	return whole;
}

/* Sends SIGNAL to all that are ours: how many of them, or of their groups, were sent it, and *REFUSED it. */
static size_t
signal_ours(pid_t root, const char *mark, int signal, size_t *refused)
{
	struct picture all = take_picture();
	size_t reached = 0;

	find_ours(&all, root, mark);
	for (const struct process *p = all.list; p < all.list + all.count; p++) {
		bool is_first;
		pid_t target;

		if (!p->ours)
			continue;
		target = leads_own_group(&all, p, &is_first) ? -p->group : p->pid;
		if (target < 0 && !is_first)
			continue;
		if (kill(target, signal) == 0)
			reached++;
		else if (errno == EPERM)
			++*refused;
		if (signal == SIGTERM)
			kill(target, SIGCONT); /* one that was stopped could not end */
	}
	free(all.list);
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

/* Sends SIGNAL to what is left; whether there was anything. */
static bool
any_left(pid_t root, const char *mark, int signal)
{
	bool has_children = false;
	size_t reached, refused = 0;

	if (root == getpid()) {
		reap();
		has_children = process_has_children();
		if (!mark && !has_children)
			return false; /* all of ours descend from us, and orphans come to us */
	}
	reached = signal_ours(root, mark, signal, &refused);
	return reached > 0 || (has_children && refused == 0); /* one that was not in the picture is there all the same */
}

void
process_end(pid_t root, const char *mark, double grace)
{
	double end = process_clock() + grace, left;

	if (!any_left(root, mark, SIGTERM))
		return;
	for (double nap = 0.002; (left = end - process_clock()) > 0; nap = nap < 0.1 ? 2 * nap : nap) {
		pause_for(nap < left ? nap : left);
		if (!any_left(root, mark, 0))
			return;
	}
	while (any_left(root, mark, SIGKILL))
		pause_for(0.01);
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
