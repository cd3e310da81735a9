#include "resource.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sysexits.h>
#include <unistd.h>

#include "device.h"
#include "memory.h"
#include "number.h"

static const char system_locks[] = "/run/lock", in_system_locks[] = "/run/lock/capacity-search",
    in_tmp[] = "/tmp/capacity-search.locks";
static const char port_prefix[] = "port-";

bool
resource_is_name(const char *name)
{
	size_t length = strlen(name);

	if (length == 0 || length > RESOURCE_NAME_MAX || name[0] == '.')
		return false;
	for (const unsigned char *p = (const unsigned char *)name; *p; p++)
		if (*p < ' ' || *p == '/' || *p == 0x7f)
			return false;
	return true;
}

/* The path, which has to be the same whoever asks. */
static const char *
directory_path(void)
{
	const char *given = getenv("CS_LOCK_DIR");
	struct stat st;

	if (given && *given)
		return given;
	if (lstat(system_locks, &st) == 0 && S_ISDIR(st.st_mode) && (st.st_mode & 01777) == 01777)
		return in_system_locks;
	return in_tmp;
}

/* Makes the directory for all users, whatever the umask; one that is there is fine. */
static void
make_directory(const char *path)
{
	mode_t before = umask(0);

	mkdir(path, 01777);
	umask(before);
}

/* What a file's name cannot hold becomes _. */
char *
resource_of_gpu(const char *gpu)
{
	char *device = device_name(gpu), *lock;

	lock = memory_format("gpu-%.*s", RESOURCE_NAME_MAX - 4, device ? device : gpu);
	for (unsigned char *p = (unsigned char *)lock; *p; p++)
		if (*p < ' ' || *p == '/' || *p == 0x7f)
			*p = '_';
	free(device);
	return lock;
}

char *
resource_of_port(long port)
{
	return memory_format("%s%ld", port_prefix, port);
}

long
resource_port(const char *name)
{
	size_t size = strlen(port_prefix);
	long port;

	return strncmp(name, port_prefix, size) == 0 && number_parse_integer(name + size, 1, 65535, &port) ? port : 0;
}

int
resource_open_directory(struct error *e)
{
	const char *path = directory_path();
	struct stat st;
	int fd;

	make_directory(path);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return error_add_errno(e, EX_CANTCREAT, path, "cannot open the directory of the locks, which may be no link");
	if (fstat(fd, &st) == 0 && ((st.st_mode & 0022) == 0 || (st.st_mode & S_ISVTX)))
		return fd;
	close(fd);
	return error_add(e, EX_CANTCREAT, path, 0,
	    "others may remove locks from this directory; expected mode 1777, or one that is only yours to write to");
}

/* As messages name the file. */
static int
fail(struct error *e, int status, const char *file, const char *what)
{
	char *path = memory_format("%s/%s", directory_path(), file);

	if (status == EX_CANTCREAT && errno == ELOOP)
		error_add(e, status, path, 0, "is a link; expected a lock file: have it removed");
	else
		error_add_errno(e, status, path, "%s", what);
	free(path);
	return -1;
}

/* Opens FILE without O_CREAT first: with it, another user's file in a sticky directory cannot be opened. */
static int
open_file(int directory, const char *file, int flags, mode_t mode, struct stat *st, struct error *e)
{
	mode_t before = umask(0);
	int fd;

	flags |= O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
	do {
		fd = openat(directory, file, flags);
		if (fd < 0 && errno == ENOENT)
			fd = openat(directory, file, flags | O_CREAT | O_EXCL, mode);
	} while (fd < 0 && errno == EEXIST);
	umask(before);
	if (fd < 0)
		return fail(e, EX_CANTCREAT, file, "cannot open this lock file");
	if (fstat(fd, st) == 0 && S_ISREG(st->st_mode))
		return fd;
	close(fd);
	errno = EINVAL;
	return fail(e, EX_CANTCREAT, file, "is no regular file; expected a lock file");
}

/* Whether FILE still is the one of HERE, not one made after that was removed. */
static bool
is_same_file(int directory, const char *file, const struct stat *here)
{
	struct stat there;

	return fstatat(directory, file, &there, AT_SYMLINK_NOFOLLOW) == 0 && here->st_ino == there.st_ino &&
	    here->st_dev == there.st_dev;
}

int
resource_try(int directory, const char *name, struct error *e)
{
	char *file = memory_format("%s.lock", name);
	struct stat st;
	int fd;

	while ((fd = open_file(directory, file, O_RDONLY, 0644, &st, e)) >= 0) {
		bool locked = flock(fd, LOCK_EX | LOCK_NB) == 0;

		if (!locked && errno != EWOULDBLOCK)
			fail(e, EX_IOERR, file, "cannot lock");
		if (locked && is_same_file(directory, file, &st))
			break;
		close(fd);
		if (!locked) {
			fd = -1;
			break;
		}
	}
	free(file);
	return fd;
}

pid_t
resource_holder(int directory, const char *name)
{
	char *file = memory_format("%s.lock", name), line[256];
	FILE *locks = fopen("/proc/locks", "re");
	unsigned major_id, minor_id;
	pid_t holder = 0;
	struct stat st;
	uintmax_t inode;
	int pid;

	if (locks && fstatat(directory, file, &st, AT_SYMLINK_NOFOLLOW) == 0)
		while (holder == 0 && fgets(line, sizeof line, locks))
			if (sscanf(line, "%*d: FLOCK %*s %*s %d %x:%x:%" SCNuMAX, &pid, &major_id, &minor_id, &inode) == 4 &&
			    inode == st.st_ino && major_id == major(st.st_dev) && minor_id == minor(st.st_dev))
				holder = pid;
	if (locks)
		fclose(locks);
	free(file);
	return holder > 0 && (kill(holder, 0) == 0 || errno == EPERM) ? holder : 0;
}

int
resource_open_mark(int directory, const char *name, char left[LOCK_MARK_MAX], struct error *e)
{
	char *file = memory_format("%s.%ld.mark", name, (long)geteuid());
	struct stat st;
	int fd = open_file(directory, file, O_RDWR, 0600, &st, e);
	ssize_t n;

	left[0] = '\0';
	if (fd >= 0 && (st.st_uid != geteuid() || st.st_nlink != 1 || (st.st_mode & 0022) != 0)) {
		close(fd);
		errno = EPERM;
		fd = fail(e, EX_CANTCREAT, file, "is not this user's own file; have it removed");
	}
	free(file);
	if (fd < 0)
		return -1;
	n = pread(fd, left, LOCK_MARK_LENGTH, 0);
	left[n > 0 ? n : 0] = '\0';
	if (strspn(left, "0123456789abcdef") != LOCK_MARK_LENGTH)
		left[0] = '\0';
	return fd;
}
