#include "directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#include "memory.h"

static bool
is_listed(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(name, *list) == 0)
			return true;
	return false;
}

static const char *const dots[] = { ".", "..", NULL };

static int clear(int parent, const char *name, const char *path, const char *const *keep, struct error *e);

/* Removes the entry NAME of the directory FD, which is called PATH and lies on DEVICE. */
static int
remove_entry(int fd, const char *name, const char *path, dev_t device, struct error *e)
{
	static const char *const none[] = { NULL };
	char *shown = memory_format("%s/%s", path, name);
	struct stat st;
	int flags = 0;

	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
		if (errno != ENOENT)
			error_add_errno(e, EX_CANTCREAT, shown, "cannot remove");
	} else {
		if (S_ISDIR(st.st_mode) && st.st_dev != device)
			error_add(e, EX_CANTCREAT, shown, 0, "is another file system; expected to remove it: unmount it first");
		else if (S_ISDIR(st.st_mode) && clear(fd, name, shown, none, e) == 0)
			flags = AT_REMOVEDIR;
		if (!error_is_set(e) && unlinkat(fd, name, flags) != 0 && errno != ENOENT)
			error_add_errno(e, EX_CANTCREAT, shown, "cannot remove");
	}
	free(shown);
	return error_is_set(e) ? -1 : 0;
}

static int
clear(int parent, const char *name, const char *path, const char *const *keep, struct error *e)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (parent == AT_FDCWD ? 0 : O_NOFOLLOW));
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	struct stat st;

	if (!directory || fstat(fd, &st) != 0) {
		error_add_errno(e, EX_CANTCREAT, path, "cannot open this directory");
		if (directory)
			closedir(directory);
		else if (fd >= 0)
			close(fd);
		return -1;
	}
	while (!error_is_set(e) && (entry = readdir(directory)) != NULL)
		if (!is_listed(entry->d_name, dots) && !is_listed(entry->d_name, keep))
			remove_entry(fd, entry->d_name, path, st.st_dev, e);
	closedir(directory);
	return error_is_set(e) ? -1 : 0;
}

int
directory_clear(const char *path, const char *const *keep, struct error *e)
{
	return clear(AT_FDCWD, path, path, keep, e);
}

bool
directory_holds_only(const char *path, const char *const *keep)
{
	DIR *directory = opendir(path);
	struct dirent *entry;
	bool only = directory != NULL;

	while (only && (entry = readdir(directory)) != NULL)
		only = is_listed(entry->d_name, dots) || is_listed(entry->d_name, keep);
	if (directory)
		closedir(directory);
	return only;
}
