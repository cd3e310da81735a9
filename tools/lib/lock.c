#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

/* Opens without O_CREAT first: with it, another user's file in a sticky directory cannot be opened. */
static int
open_file(const char *path, struct error *e)
{
	int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, fd = open(path, flags);
	struct stat st;

	if (fd < 0 && errno == ENOENT)
		fd = open(path, flags | O_CREAT, 0666);
	if (fd < 0)
		return error_add_errno(e, EX_CANTCREAT, path, "cannot open this lock file");
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return error_add(e, EX_CANTCREAT, path, 0, "is no regular file; expected a lock file");
	}
	return fd;
}

/* Whether PATH still is the file behind FD, not one made after that was removed. */
static bool
is_same_file(int fd, const char *path)
{
	struct stat here, there;

	return fstat(fd, &here) == 0 && lstat(path, &there) == 0 && here.st_ino == there.st_ino &&
	    here.st_dev == there.st_dev;
}

int
lock_try(const char *path, struct error *e)
{
	for (;;) {
		int fd = open_file(path, e);

		if (fd < 0)
			return -1;
		if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
			if (errno != EWOULDBLOCK)
				error_add_errno(e, EX_IOERR, path, "cannot lock");
			close(fd);
			return -1;
		}
		if (is_same_file(fd, path))
			return fd;
		close(fd);
	}
}

/* Opens it as it is, for who only asks; -1 if there is none. */
static int
open_to_ask(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

bool
lock_is_held(const char *path)
{
	int fd = open_to_ask(path);
	bool held;

	if (fd < 0)
		return false;
	held = flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
	close(fd);
	return held;
}

void
lock_await(const char *path)
{
	int fd = open_to_ask(path);

	if (fd < 0)
		return;
	while (flock(fd, LOCK_SH) != 0 && errno == EINTR)
		continue;
	close(fd);
}

int
lock_set_mark(int lock, const char *path, const char *mark, struct error *e)
{
	char text[LOCK_MARK_MAX + 1];
	int n = snprintf(text, sizeof text, "%s\n", mark);

	if (ftruncate(lock, 0) != 0 || pwrite(lock, text, (size_t)n, 0) != n)
		return error_add_errno(e, EX_IOERR, path, "cannot write");
	return 0;
}

int
lock_clear_mark(int lock)
{
	return ftruncate(lock, 0);
}

bool
lock_has_mark(const char *path, char mark[LOCK_MARK_MAX])
{
	int fd = open_to_ask(path);
	ssize_t n;

	mark[0] = '\0';
	if (fd < 0)
		return errno != ENOENT;
	n = read(fd, mark, LOCK_MARK_LENGTH);
	close(fd);
	mark[n > 0 ? n : 0] = '\0';
	if (strspn(mark, "0123456789abcdef") != LOCK_MARK_LENGTH)
		mark[0] = '\0';
	return n != 0;
}

void
lock_new_mark(char mark[LOCK_MARK_MAX])
{
	unsigned char bytes[LOCK_MARK_LENGTH / 2];
	struct timespec now;

	if (getrandom(bytes, sizeof bytes, GRND_NONBLOCK) != (ssize_t)sizeof bytes) {
		clock_gettime(CLOCK_REALTIME, &now); /* early in a boot */
		memset(bytes, getpid() & 0xff, sizeof bytes);
		memcpy(bytes, &now, sizeof now < sizeof bytes ? sizeof now : sizeof bytes);
	}
	for (size_t i = 0; i < sizeof bytes; i++)
		snprintf(mark + 2 * i, 3, "%02x", bytes[i]);
}
