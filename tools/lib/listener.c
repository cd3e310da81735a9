/*
 * /proc/net/tcp and tcp6 have a line per socket behind a header line:
 *
 *   sl: LOCAL_ADDRESS:PORT REMOTE:PORT STATE tx_queue:rx_queue tr:when retransmits uid timeout inode ...
 *
 * numbers in hexadecimal up to the queues; STATE 0A listens. The socket's inode is what /proc/PID/fd links to.
 */
#include "listener.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "census.h"
#include "memory.h"

enum { STATE_LISTEN = 0x0A };

static void
read_table(const char *path, struct listeners *l)
{
	FILE *f = fopen(path, "re");
	char line[512];
	struct listener one;
	unsigned port, state;

	while (f && fgets(line, sizeof line, f)) {
		if (sscanf(line, " %*[^:]: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x %*s %*s %*s %ld %*s %lu", &port, &state,
		    &one.user, &one.inode) != 4 || state != STATE_LISTEN)
			continue;
		one.port = (long)port;
		l->list = memory_resize(l->list, l->num + 1, sizeof *l->list);
		l->list[l->num++] = one;
	}
	if (f)
		fclose(f);
}

void
listeners_read(struct listeners *l)
{
	memset(l, 0, sizeof *l);
	read_table("/proc/net/tcp", l);
	read_table("/proc/net/tcp6", l);
}

void
listeners_free(struct listeners *l)
{
	free(l->list);
	memset(l, 0, sizeof *l);
}

const struct listener *
listeners_find(const struct listeners *l, long port)
{
	for (size_t i = 0; i < l->num; i++)
		if (l->list[i].port == port)
			return &l->list[i];
	return NULL;
}

/* Whether a descriptor of the process is that SOCKET. */
static bool
has_socket(const char *pid, const char *socket)
{
	char *path = memory_format("/proc/%s/fd", pid), target[64];
	DIR *directory = opendir(path);
	struct dirent *entry;
	bool has = false;
	ssize_t n;

	free(path);
	while (directory && !has && (entry = readdir(directory)) != NULL) {
		n = readlinkat(dirfd(directory), entry->d_name, target, sizeof target - 1);
		target[n > 0 ? n : 0] = '\0';
		has = strcmp(target, socket) == 0;
	}
	if (directory)
		closedir(directory);
	return has;
}

char *
listener_describe(const struct listener *listener)
{
	char *socket = memory_format("socket:[%lu]", listener->inode), *text = NULL;
	DIR *proc = opendir("/proc");
	struct dirent *entry;

	while (proc && !text && (entry = readdir(proc)) != NULL)
		if (isdigit((unsigned char)entry->d_name[0]) && has_socket(entry->d_name, socket))
			text = census_describe((pid_t)atol(entry->d_name));
	if (proc)
		closedir(proc);
	free(socket);
	return text ? text : memory_format("a process of user %ld", listener->user);
}
