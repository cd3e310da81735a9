#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#include "memory.h"

static int
read_all(int fd, char **bytes, size_t *size)
{
	size_t room = 0, n = 0;
	char *buf = NULL;
	struct stat st;
	ssize_t got;

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		room = (size_t)st.st_size + 1;
	if (room < 4096)
		room = 4096;
	buf = memory_alloc(room + 1, 1);
	while ((got = read(fd, buf + n, room - n)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			free(buf);
			return -1;
		}
		n += (size_t)got;
		if (n == room)
			buf = memory_resize(buf, (room *= 2) + 1, 1);
	}
	buf[n] = '\0';
	*bytes = buf;
	*size = n;
	return 0;
}

char *
file_read(const char *path, size_t *size, struct error *e)
{
	char *bytes = NULL;
	bool standard_input = strcmp(path, FILE_STANDARD_INPUT) == 0;
	int fd = standard_input ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		error_add_errno(e, EX_NOINPUT, path, "cannot open");
		return NULL;
	}
	if (read_all(fd, &bytes, size) < 0)
		error_add_errno(e, EX_IOERR, path, "cannot read");
	close(fd);
	return bytes;
}

static int
write_all(int fd, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t n = write(fd, bytes, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		bytes += n;
		size -= (size_t)n;
	}
	return 0;
}

/*
 * A file to write what will become PATH: one without a name, where the file system has those, so that a
 * writer that is killed leaves nothing; else TEMPORARY. Given its name by give_name(). -1 with errno.
 */
static int
open_unnamed(const char *path, const char *temporary, bool *named)
{
	const char *slash = strrchr(path, '/');
	char *directory = slash ? memory_format("%.*s", (int)(slash - path + 1), path) : memory_string(".");
	int fd = open(directory, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);

	free(directory);
	*named = fd < 0;
	return *named ? open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : fd;
}

static bool
give_name(int fd, const char *temporary)
{
	char *self = memory_format("/proc/self/fd/%d", fd);
	bool given;

	unlink(temporary);
	given = linkat(AT_FDCWD, self, AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) == 0;
	free(self);
	return given;
}

static int
publish(const char *path, const void *bytes, size_t size, const struct timespec *mtime, bool lasts, struct error *e)
{
	struct timespec times[2] = { { 0, UTIME_OMIT }, { 0, UTIME_OMIT } };
	char *temporary = memory_format("%s.%ld.tmp", path, (long)getpid());
	bool written, named;
	int fd = open_unnamed(path, temporary, &named);

	if (fd < 0) {
		error_add_errno(e, EX_CANTCREAT, path, "cannot create");
		free(temporary);
		return -1;
	}
	if (mtime)
		times[1] = *mtime;
	written = write_all(fd, bytes, size) == 0 && (!mtime || futimens(fd, times) == 0) && (!lasts || fsync(fd) == 0);
	if (written && !named)
		written = give_name(fd, temporary);
	if (close(fd) != 0)
		written = false;
	if (!written || rename(temporary, path) != 0) {
		error_add_errno(e, EX_IOERR, path, "cannot write");
		unlink(temporary);
		free(temporary);
		return -1;
	}
	free(temporary);
	return 0;
}

int
file_publish(const char *path, const void *bytes, size_t size, struct error *e)
{
	return publish(path, bytes, size, NULL, true, e);
}

int
file_publish_fast(const char *path, const void *bytes, size_t size, struct error *e)
{
	return publish(path, bytes, size, NULL, false, e);
}

int
file_publish_at(const char *path, const void *bytes, size_t size, struct timespec mtime, struct error *e)
{
	return publish(path, bytes, size, &mtime, true, e);
}

bool
file_equals(const char *path, const void *bytes, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	bool same = false;
	char *there;
	size_t n;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && (size_t)st.st_size == size && read_all(fd, &there, &n) == 0) {
		same = n == size && memcmp(there, bytes, size) == 0;
		free(there);
	}
	close(fd);
	return same;
}

int
file_update(const char *path, const void *bytes, size_t size, struct error *e)
{
	if (file_equals(path, bytes, size))
		return 0;
	return file_publish(path, bytes, size, e) < 0 ? -1 : 1;
}

int
file_update_at(const char *path, const void *bytes, size_t size, struct timespec mtime, struct error *e)
{
	struct stat st;

	if (!file_equals(path, bytes, size))
		return file_publish_at(path, bytes, size, mtime, e) < 0 ? -1 : 1;
	if (stat(path, &st) == 0 && st.st_mtim.tv_sec == mtime.tv_sec && st.st_mtim.tv_nsec == mtime.tv_nsec)
		return 0;
	return file_set_mtime(path, mtime, e);
}

int
file_make_directory(const char *path, struct error *e)
{
	char *partial = memory_string(path);
	struct stat st;

	for (char *p = partial + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		mkdir(partial, 0777);
		*p = '/';
	}
	free(partial);
	if (mkdir(path, 0777) == 0)
		return 0;
	if (errno == EEXIST && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return 0;
	return error_add_errno(e, EX_CANTCREAT, path, "cannot make this directory");
}

int
file_remove(const char *path, struct error *e)
{
	if (unlink(path) == 0 || errno == ENOENT)
		return 0;
	return error_add_errno(e, EX_IOERR, path, "cannot remove");
}

int
file_cut(const char *path, off_t size, struct error *e)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), status = 0;

	if (fd < 0 || ftruncate(fd, size) != 0 || fsync(fd) != 0)
		status = error_add_errno(e, EX_IOERR, path, "cannot cut");
	if (fd >= 0)
		close(fd);
	return status;
}

bool
file_latest_mtime(const char *path, struct timespec *latest)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return false;
	if (st.st_mtim.tv_sec > latest->tv_sec ||
	    (st.st_mtim.tv_sec == latest->tv_sec && st.st_mtim.tv_nsec > latest->tv_nsec))
		*latest = st.st_mtim;
	return true;
}

int
file_set_mtime(const char *path, struct timespec mtime, struct error *e)
{
	struct timespec times[2] = { { 0, UTIME_OMIT }, mtime };

	if (utimensat(AT_FDCWD, path, times, 0) != 0)
		return error_add_errno(e, EX_IOERR, path, "cannot set the time of change");
	return 0;
}

int
file_make_old(const char *path, struct error *e)
{
	struct timespec times[2] = { { 0, UTIME_OMIT }, { 0, 0 } };

	if (utimensat(AT_FDCWD, path, times, 0) == 0 || errno == ENOENT)
		return 0;
	return error_add_errno(e, EX_IOERR, path, "cannot set the time of change");
}

char *
file_absolute(const char *path)
{
	char *resolved = realpath(path, NULL);
	char *cwd, *joined;

	if (resolved)
		return resolved;
	if (path[0] == '/')
		return memory_string(path);
	cwd = getcwd(NULL, 0);
	joined = memory_format("%s/%s", cwd ? cwd : ".", path);
	free(cwd);
	return joined;
}
