/*
 * The config, capacity_search.yaml: read, checked and expanded into jobs. See capacity_search.yaml(5)
 * for its keys.
 */
#ifndef CONFIG_H
#define CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

struct json_object;

/* What the command line says over the config; zero: nothing. */
struct config_overrides {
	long max_iterations;
	double min_search_granularity_pct;
	double max_qps_cap;       /* requests per second */
	bool has_benchmark_timeout;
	double benchmark_timeout; /* seconds; 0 or less: none */
	const char *harness;      /* a name, in the place of the config's top-level one */
};

struct config_job {
	char *directory_name;     /* NAME_KEY */
	struct json_object *json; /* as job.json holds it; see job.h */
};

struct config {
	struct config_job *jobs;
	size_t num_jobs;
	struct json_object *sla;  /* a list of rules, or null (NULL) */
	size_t unlocked;          /* the first job whose trials use nothing that is locked; num_jobs: there is none */
	char *unplanned;          /* the first job that early_stop can do nothing for: it gives no num_requests; NULL: none; owned */
	bool is_simulated;        /* nothing names a harness for some job, which therefore takes sim */
};

/*
 * Reads the config in PATH. Every fault is added to E with its line: EX_CONFIG; EX_NOINPUT or EX_IOERR
 * if PATH cannot be read, EX_USAGE if there is no harness of the name in OVERRIDES. Returns 0 or -1;
 * then nothing is to be freed.
 */
int config_read(const char *path, const struct config_overrides *overrides, struct config *config, struct error *e);
void config_free(struct config *config);

#endif
