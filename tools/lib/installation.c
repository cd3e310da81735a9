#include "installation.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"

char *
installation_bin(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

	if (n <= 0)
		return memory_string("/usr/local/bin");
	path[n] = '\0';
	*strrchr(path, '/') = '\0';
	return memory_string(path);
}

char *
installation_share(const char *name)
{
	char *bin = installation_bin();
	char *path;

	*strrchr(bin, '/') = '\0';
	path = memory_format("%s/share/capacity-search%s%s", bin, *name ? "/" : "", name);
	free(bin);
	return path;
}

char *
installation_harness(const char *name, const char *suffix)
{
	const char *search = getenv("CS_HARNESS_PATH");
	char *copy = memory_string(search ? search : ""), *rest = copy, *directory;
	char *path = NULL, *own = memory_format("harness/%s%s", name, suffix);

	while (!path && (directory = strsep(&rest, ":")) != NULL) {
		if (*directory)
			path = memory_format("%s/%s%s", directory, name, suffix);
		if (path && access(path, R_OK) != 0) {
			free(path);
			path = NULL;
		}
	}
	if (!path) {
		path = installation_share(own);
		if (access(path, R_OK) != 0) {
			free(path);
			path = NULL;
		}
	}
	free(own);
	free(copy);
	return path;
}
