#include "link.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "memory.h"

/* The absolute path of the regular file that FD is open on (to be freed), or NULL. */
static char *
path_of(int fd)
{
	char *link = memory_format("/proc/self/fd/%d", fd), path[PATH_MAX];
	ssize_t n = readlink(link, path, sizeof path - 1);
	struct stat open_one, named;

	free(link);
	if (n <= 0)
		return NULL;
	path[n] = '\0';
	if (fstat(fd, &open_one) != 0 || !S_ISREG(open_one.st_mode) || stat(path, &named) != 0 ||
	    named.st_ino != open_one.st_ino || named.st_dev != open_one.st_dev)
		return NULL;
	return memory_string(path);
}

/* The way from the directory of the file FROM to TO, both absolute. */
static char *
way(const char *from, const char *to)
{
	size_t shared = 0, size;
	char *text;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		memory_exhausted();
	for (size_t i = 0; from[i] && from[i] == to[i]; i++)
		if (to[i] == '/' || (to[i + 1] == '\0' && from[i + 1] == '/'))
			shared = to[i] == '/' ? i : i + 1;
	for (const char *p = strchr(from + shared + 1, '/'); p; p = strchr(p + 1, '/'))
		fputs("../", f);
	to += shared + (to[shared] == '/');
	fputs(*to ? to : ".", f);
	if (fclose(f) != 0)
		memory_exhausted();
	return text;
}

char *
link_to_directory(int fd, const char *directory)
{
	char *page = path_of(fd), *absolute, *text;

	if (!page)
		return memory_string(directory);
	absolute = file_absolute(directory);
	text = way(page, absolute);
	free(absolute);
	free(page);
	return text;
}
