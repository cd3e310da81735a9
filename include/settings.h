/*
 * The settings of one run: a merged benchmark config (a flat JSON object) over the defaults of the field
 * tables. Each reader checks type and range; a fault is added to the run's errors with the config's file and line,
 * and LOW (or what its comment says) comes back, so that all faults are found in one go.
 */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

struct json_object;
struct settings;

/*
 * Reads the config at PATH and the tables; faults of the readers below go to E, which has to live as
 * long. NULL with EX_NOINPUT, EX_IOERR or EX_DATAERR.
 */
struct settings *settings_read(const char *path, struct error *e);

/* The same with the members of OVER (NULL: none) in the place of the config's; PATH NULL: an empty config. Faults in them are EX_USAGE. */
struct settings *settings_read_over(const char *path, struct json_object *over, struct error *e);

/* Sets in OVER the field that the option NAME is for (num-requests) to what the command line gives: a number where TEXT is one. */
void settings_set(struct json_object *over, const char *name, const char *text);

void settings_free(struct settings *settings);

/*
 * One line for each field of the config that is in no table, with the nearest name; NULL: there is none. To be
 * freed.
 */
char *settings_unknown(const struct settings *settings);

/* Adds a fault at NAME's line of the config. */
void settings_fault(struct settings *settings, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Whether the config itself gives NAME, and whether its value (or default) is null. */
bool settings_is_given(const struct settings *settings, const char *name);
bool settings_is_null(const struct settings *settings, const char *name);

/* Numbers from LOW to HIGH. */
double settings_number(struct settings *settings, const char *name, double low, double high);
long settings_integer(struct settings *settings, const char *name, long low, long high);

/* OTHERWISE where the value is null, which is no fault. */
bool settings_bool(struct settings *settings, const char *name, bool otherwise);

/* Text, or a number as the config writes it; "" with a fault. It lives as long as SETTINGS. */
const char *settings_text(struct settings *settings, const char *name);

/* The index of the value in CHOICES, which end in NULL; 0 with a fault. */
int settings_choice(struct settings *settings, const char *name, const char *const *choices);

#endif
