/* What a job was searched with, flat, so that two searches can be held side by side. */
#ifndef SETUP_H
#define SETUP_H

#include <stddef.h>

struct json_object;

/*
 * The settings of the job in OUTPUT_DIR/jobs/DIRECTORY by name: the fields of its benchmark config, benchmark_timeout, harness,
 * search.NAME, and sla (the rules as text). What cannot be read is not in it. json_object_put() it.
 */
struct json_object *setup_read(const char *output_dir, const char *directory);

/* The rules of OUTPUT_DIR/sla.json on one line, "none" without an SLA (to be freed); NULL if they cannot be read. */
char *setup_rules_text(const char *output_dir);

/* The names of the settings in which some of the NUM SETUPS differ (NULL: no such job, left out), to a list of the NUM values. */
struct json_object *setup_differences(struct json_object *const *setups, size_t num);

/* VALUE as people write it: text without quotes, "-" for none (to be freed). */
char *setup_value_text(struct json_object *value);

#endif
