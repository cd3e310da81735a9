#include "roster.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "file.h"
#include "memory.h"

static const char name_characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

/* Where the value of JOBS begins in the Makefile's text, and its line there; NULL if it is not set. */
static const char *
find_jobs(const char *text, long *line)
{
	*line = 1;
	for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n', ++*line) {
		const char *value = p + 4;

		if (strncmp(p, "JOBS", 4) != 0)
			continue;
		value += strspn(value, " \t");
		if (*value == '=')
			return value + 1;
	}
	return NULL;
}

static void
add(struct roster *r, const char *name, size_t length)
{
	if ((r->num & (r->num - 1)) == 0)
		r->directories = memory_resize(r->directories, r->num ? 2 * r->num : 1, sizeof *r->directories);
	r->directories[r->num++] = memory_format("%.*s", (int)length, name);
}

/* Adds each job that VALUE names: words up to the first line that does not end in a backslash. */
static int
add_jobs(struct roster *r, const char *value, const char *file, long line, struct error *e)
{
	for (const char *p = value; *p && *p != '\n';) {
		size_t n = strspn(p, name_characters);

		if (n > 0) {
			add(r, p, n);
			p += n;
		} else if (p[0] == '\\' && p[1] == '\n') {
			p += 2;
			line++;
		} else if (*p == ' ' || *p == '\t') {
			p++;
		} else {
			return error_add(e, EX_DATAERR, file, line, "expected the names of the jobs' directories in JOBS");
		}
	}
	if (r->num == 0)
		return error_add(e, EX_DATAERR, file, line, "JOBS is empty; expected the names of the jobs' directories");
	return 0;
}

int
roster_read(const char *output_dir, struct roster *r, struct error *e)
{
	size_t n = strlen(output_dir), size;
	const char *value;
	char *file, *text;
	long line;

	memset(r, 0, sizeof *r);
	while (n > 1 && output_dir[n - 1] == '/')
		n--;
	r->output_dir = memory_format("%.*s", (int)n, output_dir);
	file = memory_format("%s/Makefile", r->output_dir);
	text = file_read(file, &size, e);
	if (text && !(value = find_jobs(text, &line)))
		error_add(e, EX_DATAERR, file, 0, "no line sets JOBS; expected the Makefile of an output directory");
	else if (text)
		add_jobs(r, value, file, line, e);
	free(text);
	free(file);
	if (!error_is_set(e))
		return 0;
	roster_free(r);
	return -1;
}

void
roster_free(struct roster *r)
{
	for (size_t i = 0; i < r->num; i++)
		free(r->directories[i]);
	free(r->directories);
	free(r->output_dir);
	memset(r, 0, sizeof *r);
}
