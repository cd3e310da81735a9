#include "jobserver.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory.h"
#include "process.h"

/* The last "--jobserver-auth=VALUE" (or, from before make 4.2, --jobserver-fds) of MAKEFLAGS (to be freed); NULL: none. */
static char *
authority(void)
{
	static const char *const options[] = { "--jobserver-auth=", "--jobserver-fds=" };
	const char *flags = getenv("MAKEFLAGS"), *found = NULL;

	for (size_t i = 0; flags && !found && i < sizeof options / sizeof *options; i++)
		for (const char *p = flags; (p = strstr(p, options[i])) != NULL;) {
			p += strlen(options[i]);
			found = p;
		}
	return found ? memory_format("%.*s", (int)strcspn(found, " "), found) : NULL;
}

/* Whether FD is open as one end of a pipe, MODE being O_RDONLY or O_WRONLY. */
static bool
is_pipe_end(int fd, int mode, struct stat *st)
{
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && (flags & O_ACCMODE) == mode && fstat(fd, st) == 0 && S_ISFIFO(st->st_mode);
}

/* Opens both ends anew, so that reading does not block, whatever make's own descriptors do. */
static void
open_ends(struct jobserver *j, const char *slots, const char *give)
{
	j->slots = open(slots, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	j->give = j->slots < 0 ? -1 : open(give, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (j->slots >= 0 && j->give < 0) {
		close(j->slots);
		j->slots = -1;
	}
}

void
jobserver_find(struct jobserver *j)
{
	char *value = authority(), slots[64], give[64];
	struct stat a, b;
	int in, out;

	*j = (struct jobserver){ .slots = -1, .give = -1, .life = -1 };
	if (value && strncmp(value, "fifo:", 5) == 0) {
		open_ends(j, value + 5, value + 5);
	} else if (value && sscanf(value, "%d,%d", &in, &out) == 2 && is_pipe_end(in, O_RDONLY, &a) &&
	    is_pipe_end(out, O_WRONLY, &b) && a.st_ino == b.st_ino && a.st_dev == b.st_dev) {
		snprintf(slots, sizeof slots, "/proc/self/fd/%d", in);
		snprintf(give, sizeof give, "/proc/self/fd/%d", out);
		open_ends(j, slots, give);
	}
	free(value);
}

static bool
read_slot(const struct jobserver *j)
{
	char slot;

	return read(j->slots, &slot, 1) == 1;
}

/* Waits until the one that gave a slot says that it has one again. If it ends without, takes one; none comes when make is gone. */
static _Noreturn void
keep(struct jobserver *j, int life)
{
	struct pollfd p = { .fd = life, .events = POLLIN };
	int keep_open[2] = { life, j->slots }, null = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t all;
	char word;

	setsid();
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	process_close_all_but(keep_open, 2);
	while (poll(&p, 1, -1) < 0 && errno == EINTR)
		continue;
	if (read(life, &word, 1) == 1)
		_exit(0);
	p.fd = j->slots;
	while (!read_slot(j)) {
		poll(&p, 1, -1);
		if ((p.revents & POLLHUP) && !(p.revents & POLLIN))
			break;
	}
	_exit(0);
}

void
jobserver_give(struct jobserver *j)
{
	int life[2];

	if (j->slots < 0 || j->has_given || pipe2(life, O_CLOEXEC) != 0)
		return;
	j->keeper = fork();
	if (j->keeper == 0)
		keep(j, life[0]);
	close(life[0]);
	if (j->keeper > 0 && write(j->give, "+", 1) == 1) {
		j->has_given = true;
		j->life = life[1];
		return;
	}
	if (j->keeper > 0) {
		kill(j->keeper, SIGKILL);
		waitpid(j->keeper, NULL, 0);
	}
	close(life[1]);
}

bool
jobserver_take(struct jobserver *j)
{
	if (!j->has_given)
		return true;
	if (!read_slot(j))
		return false;
	j->has_given = false;
	if (write(j->life, "", 1) == 1)
		waitpid(j->keeper, NULL, 0);
	close(j->life);
	j->life = -1;
	return true;
}

void
jobserver_close(struct jobserver *j)
{
	jobserver_take(j);
	if (j->life >= 0)
		close(j->life);
	if (j->slots >= 0) {
		close(j->slots);
		close(j->give);
	}
	*j = (struct jobserver){ .slots = -1, .give = -1, .life = -1 };
}

bool
jobserver_make_has(char option)
{
	const char *flags = getenv("MAKEFLAGS");

	return flags && flags[0] != '-' && memchr(flags, option, strcspn(flags, " ")) != NULL;
}
