/*
 * Benchmark fields: what benchmark_base and benchmark_overrides may hold. The tables are text, one
 * field a line, with tabs between the columns:
 *
 *   field    its name
 *   type     int, float, bool, string, or words (text, or a list of texts); with a ? behind it null will do
 *   default  what a harness takes where the config does not give the field
 *   allowed  the only values of a string, with spaces between them; empty: any
 *   flag     the option of sangam's command line, or -
 *   note     a word on it; "REJECTED: " and why, for a field that no config may give
 *
 * The last three may be missing. Lines that are empty, begin with # or with the word field and a tab
 * are none. Fields of benchmark_fields.tsv are everybody's; the rows of a harness's own table,
 * NAME.tsv beside the harness, add to them or replace them.
 */
#ifndef FIELD_H
#define FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"
#include "fault.h"
#include "node.h"

enum field_type { FIELD_INT, FIELD_FLOAT, FIELD_BOOL, FIELD_STRING, FIELD_WORDS };

struct field {
	char *name;
	enum field_type type;
	bool is_nullable;
	char *otherwise;  /* its default, as the table has it */
	char *allowed;    /* words with spaces between them; "": any */
	char *note;
	const char *refused; /* why no config may give it; NULL: it may. Part of note */
};

struct field_table {
	struct field *list;
	size_t count;
};

/*
 * The fields for the harness of that NAME; NULL: a harness of the user's own, the base table alone.
 * EX_CONFIG with the table's file and line, or EX_NOINPUT. Returns 0 or -1; then nothing is to be freed.
 */
int field_table_read(const char *harness, struct field_table *table, struct error *e);
void field_table_free(struct field_table *table);

/* The field of that NAME, or NULL; and the name of the nearest that a config may give. */
const struct field *field_find(const struct field_table *table, const char *name);
const char *field_nearest(const struct field_table *table, const char *name);

/* The default as JSON, to be json_object_put(). */
struct json_object *field_default(const struct field *field);

/*
 * VALUE as FIELD has it: numbers for text such as 1e3, text for numbers, where the type is the other.
 * *JSON, to be json_object_put(), may be null. A fault, after the text WHERE, if it will not do.
 */
int field_convert(const struct field *field, const struct node *value, const char *where, struct faults *faults,
    struct json_object **json);

#endif
