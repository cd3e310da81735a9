/*
 * trial_config.json: what a trial was run with. For a job's trial the benchmark config that the harness
 * gets, with qps; else {"command": [WORD...], "environment": {NAME: VALUE}}, with qps if CS_QPS is in the
 * environment. Two members more, output_dir (the trial's directory) and benchmark_timeout (seconds or null),
 * do not count when two are compared. Nor does what a pool assigned (pool.h): those fields have the assigned values, and
 * pool_replaced has those that the config gives them (null: none).
 */
#ifndef TRIAL_CONFIG_H
#define TRIAL_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

struct harness;
struct job;
struct json_object;

/* What counts of the config of JOB's trial at QPS, keys sorted. json_object_put() it. */
struct json_object *trial_config_of_job(const struct job *job, double qps);

/* The same for HARNESS, made from a command; QPS 0: none. EX_USAGE, and NULL, if its words are no UTF-8. */
struct json_object *trial_config_of_command(const struct harness *harness, double qps, struct error *e);

/* Whether the file PATH holds CONFIG, numbers compared by value. A broken file does not. */
bool trial_config_matches(const char *path, struct json_object *config);

/*
 * Publishes CONFIG, the members of ASSIGNED (NULL: none) over it, with the two members more; TIMEOUT is INFINITY for none.
 * Not synced to the disk: a broken one has the trial run again. EX_CANTCREAT, EX_IOERR. Returns 0 or -1.
 */
int trial_config_publish(const char *path, struct json_object *config, struct json_object *assigned,
    const char *output_dir, double timeout, struct error *e);

#endif
