#include "heading.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "cell.h"
#include "memory.h"

enum { NAMES_SHOWN_MAX = 60 };

void
heading_add(struct heading *heading, char *text, size_t size)
{
	while (size > 0 && strchr(" \t", text[size - 1]))
		text[--size] = '\0';
	heading->names = memory_resize(heading->names, heading->count + 1, sizeof *heading->names);
	heading->names[heading->count++] = memory_string(text + strspn(text, " \t"));
}

/* "the columns are a, b, c" (to be freed). */
static char *
names_text(const struct heading *heading)
{
	char *text, shown[CELL_SHOWN_MAX];
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		memory_exhausted();
	for (size_t i = 0; i < heading->count && i < NAMES_SHOWN_MAX; i++)
		fprintf(f, "%s%s", i ? ", " : heading->count > 1 ? "the columns are " : "the only column is ",
		    cell_shown(heading->names[i], shown));
	if (heading->count > NAMES_SHOWN_MAX)
		fprintf(f, " and %zu more", heading->count - NAMES_SHOWN_MAX);
	if (fclose(f) != 0)
		memory_exhausted();
	return text;
}

/* Wishes for the columns that nobody wished for. */
static void
want_others(const struct heading *heading, struct columns *columns)
{
	for (size_t n = 0; n < heading->count; n++) {
		bool wanted = false;

		for (size_t i = 0; i < columns->count && !wanted; i++)
			wanted = strcmp(columns->list[i]->name, heading->names[n]) == 0;
		if (!wanted)
			columns_want(columns, heading->names[n], COLUMN_METRIC, false);
	}
}

/* Of columns with one name the first. */
static void
find(struct heading *heading, struct column *c)
{
	for (size_t n = 0; n < heading->count && !c->found; n++) {
		if (strcmp(c->name, heading->names[n]) != 0)
			continue;
		c->found = true;
		c->next = heading->wishes[n];
		heading->wishes[n] = c;
	}
}

void
heading_match(struct heading *heading, struct columns *columns, const char *path, long line, struct error *e)
{
	char *names = NULL;

	if (columns->all)
		want_others(heading, columns);
	heading->wishes = memory_alloc(heading->count, sizeof(struct column *));
	heading->wanted = memory_alloc(heading->count, sizeof *heading->wanted);
	for (size_t i = 0; i < columns->count; i++) {
		struct column *c = columns->list[i];

		find(heading, c);
		if (!c->found && c->required) {
			names = names ? names : names_text(heading);
			error_add(e, EX_DATAERR, path, line, "no column '%s'; %s", c->name, names);
		}
	}
	free(names);
	for (size_t n = 0; n < heading->count; n++)
		if (heading->wishes[n])
			heading->wanted[heading->num_wanted++] = n;
}

void
heading_free(struct heading *heading)
{
	for (size_t i = 0; i < heading->count; i++)
		free(heading->names[i]);
	free(heading->names);
	free(heading->wishes);
	free(heading->wanted);
	memset(heading, 0, sizeof *heading);
}
