#include "config.h"

#include <json-c/json.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "demand.h"
#include "document.h"
#include "entry.h"
#include "file.h"
#include "job.h"
#include "job_key.h"
#include "json.h"
#include "memory.h"
#include "pool.h"
#include "ruleset.h"
#include "strategy.h"
#include "utf8.h"
#include "variant.h"

#define BENCHMARK_TIMEOUT 900.0 /* seconds */

struct builder {
	const struct config_overrides *overrides;
	struct faults *faults;
	struct config *config;
	char *config_dir;
	const struct node *root;
	struct strategy strategy;
	struct variants variants;
	struct pool pool;
	bool common_is_faulty;            /* the harness of all jobs but those with one of their own: reported */
	struct json_object *written_base; /* benchmark_base as it is written, for the keys */
	struct json_object *lines;        /* of the jobs: directory name to line */
};

/* What is read of one job. */
struct draft {
	const struct node *node;
	char *where;                   /* "job 'x': " */
	char *name;
	char key[JOB_KEY_DIGITS + 1];
	char *directory_name;          /* from here on: NULL after a fault */
	struct json_object *overrides; /* benchmark_overrides, types checked */
	struct json_object *config;    /* the same over benchmark_base */
	struct json_object *search;
};

/* The variant for the harness that all jobs take but those with one of their own. */
static struct variant *
get_common_variant(struct builder *b)
{
	struct faults of_options = { NULL, EX_USAGE, 0, b->faults->error };
	const struct node *node = node_get(b->root, "harness");
	const char *name = b->overrides->harness;
	struct variant *variant;

	if (b->common_is_faulty)
		return NULL;
	if (name)
		variant = variants_get(&b->variants, NULL, name, &of_options);
	else
		variant = variants_get(&b->variants, node, BENCHMARK_HARNESS_DEFAULT, b->faults);
	b->common_is_faulty = !variant;
	b->config->is_simulated = !name && !node;
	return variant;
}

/* Seconds, or null where there is no time-out. */
static struct json_object *
timeout_of(const struct builder *b, struct json_object *benchmark_config)
{
	struct json_object *given;
	double seconds = BENCHMARK_TIMEOUT;

	if (b->overrides->has_benchmark_timeout)
		seconds = b->overrides->benchmark_timeout;
	else if (json_object_object_get_ex(benchmark_config, "benchmark_timeout", &given))
		seconds = given ? json_object_get_double(given) : 0;
	return seconds > 0 ? json_number(seconds) : NULL;
}

/* Reads the job's name, and from it how messages call the job. */
static void
read_name(const struct builder *b, struct draft *draft)
{
	static const char expected[] = "text, in quotes if need be";
	const struct node *name = entry_required(draft->node, "job: ", "name", expected, b->faults);
	char quoted[FAULT_QUOTE_MAX];

	draft->name = name ? node_text(name) : NULL;
	if (draft->name && !*draft->name) {
		free(draft->name);
		draft->name = NULL;
	}
	if (name && !draft->name)
		entry_fault(name, "job: ", "name", expected, b->faults);
	draft->where = draft->name ? memory_format("job %s: ", fault_quote(draft->name, quoted)) : memory_string("job: ");
}

/* Gives the job its key and its directory, which no other job may have. */
static void
name_directory(struct builder *b, struct draft *draft, const struct node *overrides, const struct benchmark *benchmark)
{
	struct json_object *written = overrides ? node_to_json(overrides) : json_object_new_object(), *line;
	struct json_object *name = node_to_json(node_get(draft->node, "name")), *harness = benchmark->written;
	bool is_keyed = !json_object_is_type(harness, json_type_string) ||
	    strcmp(json_object_get_string(harness), BENCHMARK_HARNESS_UNKEYED) != 0;
	char *directory_name;

	job_key(b->written_base, written, is_keyed ? harness : NULL, name, draft->key);
	json_object_put(written);
	json_object_put(name);
	directory_name = job_directory_name(draft->name, draft->key);
	if (json_object_object_get_ex(b->lines, directory_name, &line)) {
		fault_add(b->faults, draft->node->line, "%sis the same as the job on line %ld; expected another name or other "
		    "benchmark_overrides", draft->where, (long)json_object_get_int64(line));
		free(directory_name);
		return;
	}
	json_object_object_add(b->lines, directory_name, json_object_new_int64(draft->node->line));
	draft->directory_name = directory_name;
}

/* Adds the members of FROM to TO, over what is there. */
static void
add_all(struct json_object *from, struct json_object *to)
{
	json_object_object_foreach(from, key, value)
		json_object_object_add(to, key, json_object_get(value));
}

/* Reads the job's harness and overrides; *VARIANT is NULL, and draft->config too, after a fault. */
static void
read_benchmark(struct builder *b, struct draft *draft, const struct variant **variant)
{
	const struct node *overrides = entry_map(draft->node, draft->where, "benchmark_overrides", b->faults);
	const struct node *harness = node_get(draft->node, "harness");
	bool good = overrides || !node_get(draft->node, "benchmark_overrides");
	char *where = memory_format("%sbenchmark_overrides: ", draft->where);

	*variant = harness ? variants_get(&b->variants, harness, NULL, b->faults) : get_common_variant(b);
	draft->overrides = json_object_new_object();
	if (*variant && good && draft->name && b->written_base)
		name_directory(b, draft, overrides, &(*variant)->benchmark);
	if (*variant && overrides)
		good = benchmark_add(&(*variant)->benchmark, overrides, where, NULL, b->faults, draft->overrides) == 0;
	free(where);
	if (!*variant || !good || !(*variant)->base)
		return;
	draft->config = json_object_new_object();
	add_all((*variant)->base, draft->config);
	add_all(draft->overrides, draft->config);
}

/* Reads what the job's trials use, which the pool has to have. */
static void
check_demand(struct builder *b, const struct draft *draft, const struct benchmark *benchmark)
{
	const char *harness = benchmark->takes_any ? NULL : json_object_get_string(benchmark->harness);
	struct config *config = b->config;
	struct demand demand;
	char *lack;

	demand_read(harness, &benchmark->fields, draft->config, &demand);
	lack = demand_is_empty(&demand) ? NULL : pool_lacks(&b->pool, &demand);
	if (lack)
		fault_add(b->faults, draft->node->line, "%s%s", draft->where, lack);
	if (config->unlocked == config->num_jobs && (!demand_is_empty(&demand) || demand.is_simulated))
		config->unlocked++;
	free(lack);
	demand_free(&demand);
}

/* job.json as job.h describes it. */
static struct json_object *
job_json(const struct builder *b, const struct draft *draft, const struct benchmark *benchmark)
{
	struct json_object *json = json_object_new_object(), *timeout = timeout_of(b, draft->config);
	struct json_object *resources = pool_to_json(&b->pool);

	if (b->overrides->has_benchmark_timeout)
		json_object_object_add(draft->config, "benchmark_timeout", json_object_get(timeout));
	json_object_object_add(json, "job_name", json_object_new_string(draft->name));
	json_object_object_add(json, "job_key", json_object_new_string(draft->key));
	json_object_object_add(json, "harness", json_object_get(benchmark->harness));
	json_object_object_add(json, "config_dir", json_object_new_string(b->config_dir));
	json_object_object_add(json, "benchmark_config", json_object_get(draft->config));
	json_object_object_add(json, "benchmark_overrides", json_object_get(draft->overrides));
	json_object_object_add(json, "benchmark_timeout", timeout);
	json_object_object_add(json, "search", json_object_get(draft->search));
	if (resources)
		json_object_object_add(json, "resources", resources);
	return json;
}

static void
read_job(struct builder *b, const struct node *node)
{
	static const char *const known[] = { "name", "benchmark_overrides", "harness", "start_qps", "qps_list", NULL };
	struct config *config = b->config;
	struct draft draft = { .node = node };
	const struct variant *variant;

	if (node->kind != NODE_MAP) {
		entry_fault(node, "jobs: ", "a job", "a mapping with name", b->faults);
		return;
	}
	read_name(b, &draft);
	entry_check_keys(node, draft.where, known, NULL, b->faults);
	draft.search = strategy_of_job(&b->strategy, node, draft.where, b->faults);
	read_benchmark(b, &draft, &variant);
	if (draft.config && draft.directory_name && draft.search) {
		check_demand(b, &draft, &variant->benchmark);
		if (b->strategy.early_stop != EARLY_STOP_OFF && !config->unplanned && !json_object_object_get(draft.config, "num_requests"))
			config->unplanned = memory_string(draft.name);
		config->jobs[config->num_jobs++] = (struct config_job){ memory_string(draft.directory_name),
			job_json(b, &draft, &variant->benchmark) };
	}
	free(draft.where);
	free(draft.name);
	free(draft.directory_name);
	json_object_put(draft.config);
	json_object_put(draft.overrides);
	json_object_put(draft.search);
}

static void
read_jobs(struct builder *b)
{
	const struct node *jobs = entry_required(b->root, "", "jobs", "a list of jobs", b->faults);

	if (jobs && jobs->kind != NODE_LIST)
		entry_fault(jobs, "", "jobs", "a list of jobs", b->faults);
	else if (jobs && jobs->count == 0)
		fault_add(b->faults, jobs->line, "jobs is empty; expected at least one job");
	b->config->jobs = memory_alloc(jobs ? jobs->count : 0, sizeof *b->config->jobs);
	for (size_t i = 0; jobs && jobs->kind == NODE_LIST && i < jobs->count && !fault_is_full(b->faults); i++)
		read_job(b, jobs->members[i].value);
	if (b->variants.count == 0) /* the faults of benchmark_base are of interest all the same */
		get_common_variant(b);
}

static void
read_root(struct builder *b)
{
	static const char *const known[] = { "benchmark_base", "jobs", "sla", "search", "harness", "resources", NULL };
	const struct node *base, *sla = node_get(b->root, "sla");

	if (b->root->kind != NODE_MAP) {
		entry_fault(b->root, "", "the config", "a mapping with benchmark_base and jobs", b->faults);
		return;
	}
	entry_check_keys(b->root, "", known, NULL, b->faults);
	base = entry_required(b->root, "", "benchmark_base", "a mapping, {} if it has nothing to say", b->faults);
	if (base)
		base = entry_map(b->root, "", "benchmark_base", b->faults);
	b->written_base = base ? node_to_json(base) : NULL;
	variants_init(&b->variants, base, b->faults);
	b->config->sla = sla ? ruleset_from_node(sla, b->faults) : NULL;
	strategy_read(b->root, b->overrides, &b->strategy, b->faults);
	pool_from_node(entry_map(b->root, "", "resources", b->faults), &b->pool, b->faults);
	read_jobs(b);
	pool_free(&b->pool);
	variants_free(&b->variants);
	strategy_free(&b->strategy);
	json_object_put(b->written_base);
}

/* The real path of the directory that PATH is in; a fault if JSON cannot hold it. */
static char *
directory_of(const char *path, struct faults *faults)
{
	char *copy = memory_string(path), *directory = file_absolute(dirname(copy)), *clean = utf8_clean(directory);

	if (strcmp(directory, clean) != 0)
		fault_add(faults, 0, "the path of the config's directory is not UTF-8; expected one that is");
	free(clean);
	free(copy);
	return directory;
}

int
config_read(const char *path, const struct config_overrides *overrides, struct config *config, struct error *e)
{
	struct faults faults = { path, EX_CONFIG, 0, e };
	struct builder b = { .overrides = overrides, .faults = &faults, .config = config };
	struct node *root = document_read(path, &faults);

	memset(config, 0, sizeof *config);
	if (root) {
		b.root = root;
		b.config_dir = directory_of(path, &faults);
		b.lines = json_object_new_object();
		read_root(&b);
		free(b.config_dir);
		json_object_put(b.lines);
		node_put(root);
	}
	if (!error_is_set(e))
		return 0;
	config_free(config);
	return -1;
}

void
config_free(struct config *config)
{
	for (size_t i = 0; i < config->num_jobs; i++) {
		free(config->jobs[i].directory_name);
		json_object_put(config->jobs[i].json);
	}
	free(config->jobs);
	free(config->unplanned);
	json_object_put(config->sla);
	memset(config, 0, sizeof *config);
}
