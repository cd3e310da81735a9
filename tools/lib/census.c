#include "census.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "log.h"
#include "memory.h"

/* Reads what /proc/PID/stat says; false if the process is gone, or has ended and only waits to be reaped. */
static bool
read_entry(int proc, const char *pid, struct census_entry *entry)
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
	entry->pid = (pid_t)atol(pid);
	entry->ours = false;
	return rest && sscanf(rest + 1, " %c %d %d", &state, &entry->parent, &entry->group) == 3 && state != 'Z' &&
	    state != 'X';
}

static int
compare_pids(const void *a, const void *b)
{
	const struct census_entry *p = a, *q = b;

	return (p->pid > q->pid) - (p->pid < q->pid);
}

/* The text of /proc/PID/NAME (to be freed), NULL where we may not look. */
static char *
read_proc(pid_t pid, const char *name, size_t *size)
{
	char path[64], *text;
	struct error ignored = ERROR_NONE;

	snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
	text = file_read(path, size, &ignored);
	error_clear(&ignored);
	return text;
}

static bool
carries_mark(pid_t pid, const char *name, const char *mark)
{
	bool found = false;
	size_t size, length = strlen(name);
	char *environment = read_proc(pid, "environ", &size);

	for (size_t at = 0; environment && at < size && !found; at += strlen(environment + at) + 1)
		found = strncmp(environment + at, name, length) == 0 && environment[at + length] == '=' &&
		    strcmp(environment + at + length + 1, mark) == 0;
	free(environment);
	return found;
}

/* Marks ours: the ones with the mark, then children of ours until a pass adds none. */
static void
find_ours(struct census *c, pid_t root, const char *name, const char *mark)
{
	const struct census_entry *end = c->list + c->count, *parent;
	bool more = c->count > 0;

	for (struct census_entry *p = c->list; mark && p < end; p++)
		p->ours = p->pid != getpid() && carries_mark(p->pid, name, mark);
	while (more) {
		more = false;
		for (struct census_entry *p = c->list; p < end; p++) {
			if (p->ours || p->pid == root || p->pid == getpid())
				continue;
			parent = census_find(c, p->parent);
			p->ours = (root && p->parent == root) || (parent && parent->ours);
			more = more || p->ours;
		}
	}
}

struct census
census_take(pid_t root, const char *name, const char *mark)
{
	struct census c = { NULL, 0 };
	DIR *directory = opendir("/proc");
	struct dirent *entry;
	size_t room = 0;

	while (directory && (entry = readdir(directory)) != NULL) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		if (c.count == room)
			c.list = memory_resize(c.list, room = 2 * room + 64, sizeof *c.list);
		if (read_entry(dirfd(directory), entry->d_name, &c.list[c.count]))
			c.count++;
	}
	if (directory)
		closedir(directory);
	if (c.count)
		qsort(c.list, c.count, sizeof *c.list, compare_pids);
	find_ours(&c, root, name, mark);
	return c;
}

void
census_free(struct census *c)
{
	free(c->list);
	c->list = NULL;
	c->count = 0;
}

struct census_entry *
census_find(const struct census *c, pid_t pid)
{
	struct census_entry key = { .pid = pid };

	return c->count ? bsearch(&key, c->list, c->count, sizeof *c->list, compare_pids) : NULL;
}

bool
census_is_first_of_group(const struct census *c, const struct census_entry *entry)
{
	for (const struct census_entry *p = c->list; p < entry; p++)
		if (p->ours && p->group == entry->group)
			return false;
	return true;
}

bool
census_owns_group(const struct census *c, const struct census_entry *entry)
{
	for (const struct census_entry *p = c->list; p < c->list + c->count; p++)
		if (!p->ours && p->group == entry->group)
			return false;
	return entry->group > 1;
}

bool
census_would_end(pid_t pid, int signal)
{
	static const char *const lines[] = { "\nSigBlk:", "\nSigIgn:", "\nSigCgt:" };
	size_t size;
	char *status = read_proc(pid, "status", &size), *line;
	bool would = status != NULL;

	for (size_t i = 0; would && i < sizeof lines / sizeof *lines; i++) {
		line = strstr(status, lines[i]);
		would = line && !(strtoull(line + strlen(lines[i]), NULL, 16) >> (signal - 1) & 1);
	}
	free(status);
	return would;
}

char *
census_describe(pid_t pid)
{
	enum { SHOWN = 160 };
	size_t size = 0;
	char *words = read_proc(pid, "cmdline", &size), *line, *text;

	while (words && size > 0 && words[size - 1] == '\0')
		size--;
	for (size_t i = 0; words && i < size; i++)
		if (words[i] == '\0')
			words[i] = ' ';
	line = log_printable(words && size > 0 ? words : "", size < SHOWN ? size : SHOWN);
	text = memory_format("process %ld%s%s%s%s", (long)pid, *line ? " (" : "", line, size > SHOWN ? "..." : "", *line ? ")" : "");
	free(line);
	free(words);
	return text;
}
