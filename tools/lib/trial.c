#include "trial.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#include "claim.h"
#include "directory.h"
#include "file.h"
#include "job.h"
#include "json.h"
#include "lock.h"
#include "log.h"
#include "memory.h"
#include "number.h"
#include "process.h"
#include "rate.h"
#include "status.h"
#include "trial_config.h"

/* What the trial uses, by the fields of its harness. */
static int
read_demand(const struct job *job, struct trial *t, struct error *e)
{
	struct json_object *harness = json_object_object_get(job->json, "harness");
	const char *name = json_object_is_type(harness, json_type_string) ? json_object_get_string(harness) : NULL;
	struct json_object *config = json_object_object_get(job->json, "benchmark_config");
	struct field_table fields = { NULL, 0 };

	if (name && field_table_read(name, &fields, e) < 0)
		return -1;
	demand_read(name, name ? &fields : NULL, config, &t->demand);
	field_table_free(&fields);
	pool_from_json(json_object_object_get(job->json, "resources"), &t->pool);
	return 0;
}

int
trial_from_job(const struct job *job, double qps, struct trial *t, struct error *e)
{
	char text[RATE_TEXT_MAX], *rules = memory_format("%s/sla.json", job->output_dir);

	memset(t, 0, sizeof *t);
	if (harness_from_job(job, &t->harness, e) < 0 || read_demand(job, t, e) < 0 ||
	    rules_read(rules, &t->rules, e) < 0) {
		demand_free(&t->demand);
		pool_free(&t->pool);
		harness_free(&t->harness);
		free(rules);
		return -1;
	}
	free(rules);
	rate_text(qps, text);
	t->qps = qps;
	t->of_job = true;
	t->directory = job_trial_directory(job, qps);
	t->title = log_printable(job_name(job), strlen(job_name(job)));
	t->lock_path = trial_path(t, ".lock");
	t->run_dir = memory_format("jobs/%s/runs/%s", job->directory_name, text);
	t->config = trial_config_of_job(job, qps);
	t->planned = json_get_number(t->config, "num_requests", 0);
	t->max_failed_pct = job->max_failed_requests_pct;
	t->early_stop = job->early_stop;
	t->timeout = job->benchmark_timeout;
	harness_set_environment(&t->harness, "CS_QPS", text);
	return 0;
}

/* The rate that HARNESS finds in CS_QPS, 0 if there is none. */
static double
rate_of(const struct harness *harness)
{
	double qps = 0;

	for (size_t i = 0; i < harness->num_environment; i++)
		if (strncmp(harness->environment[i], "CS_QPS=", 7) == 0 &&
		    (!number_parse(harness->environment[i] + 7, &qps) || !rate_is_valid(qps)))
			qps = 0;
	return qps;
}

int
trial_from_command(const char *directory, struct harness *harness, double timeout, struct trial *t, struct error *e)
{
	size_t n = strlen(directory);

	memset(t, 0, sizeof *t);
	t->harness = *harness;
	memset(harness, 0, sizeof *harness);
	t->qps = rate_of(&t->harness);
	t->config = trial_config_of_command(&t->harness, t->qps, e);
	if (!t->config) {
		harness_free(&t->harness);
		return -1;
	}
	while (n > 1 && directory[n - 1] == '/')
		n--;
	t->directory = memory_format("%.*s", (int)n, directory);
	t->title = memory_string(t->directory);
	t->lock_path = trial_path(t, ".lock");
	t->run_dir = memory_string(t->directory);
	t->timeout = timeout;
	return 0;
}

void
trial_free(struct trial *t)
{
	free(t->directory);
	free(t->title);
	free(t->lock_path);
	free(t->run_dir);
	harness_free(&t->harness);
	json_object_put(t->config);
	demand_free(&t->demand);
	pool_free(&t->pool);
	json_object_put(t->assigned);
	rules_free(&t->rules);
	memset(t, 0, sizeof *t);
}

char *
trial_path(const struct trial *t, const char *name)
{
	return memory_format("%s/%s", t->directory, name);
}

bool
trial_has(const struct trial *t, const char *name)
{
	char *path = trial_path(t, name);
	bool has = access(path, F_OK) == 0;

	free(path);
	return has;
}

/* Fails unless the files in the directory are a trial's, which may be removed: not what a user put there. */
static int
check_ownership(const struct trial *t, struct error *e)
{
	static const char *const fresh[] = { ".lock", STATUS_WAITING, NULL };

	if (t->of_job || trial_has(t, "trial_config.json") || directory_holds_only(t->directory, fresh))
		return 0;
	return error_add(e, EX_CANTCREAT, t->directory, 0,
	    "has files in it that are not a trial's, and a trial would remove them; expected a new or empty directory");
}

int
trial_make_directory(const struct trial *t, struct error *e)
{
	struct stat st;

	if (lstat(t->directory, &st) != 0)
		return file_make_directory(t->directory, e);
	if (S_ISDIR(st.st_mode))
		return trial_has(t, ".lock") ? 0 : check_ownership(t, e);
	return error_add(e, EX_CANTCREAT, t->directory, 0,
	    "is a %s; expected a trial's directory, or nothing: remove it (make -t makes such files)",
	    S_ISLNK(st.st_mode) ? "link" : "file");
}

/* Empties the directory but for what the next try needs. */
static int
clear_directory(const struct trial *t, struct error *e)
{
	static const char *const first[] = { "trial_result.json", "benchmark_results.json" };
	static const char *const kept[] = { ".lock", "trial_config.json", "benchmark.log", "benchmark.log.1", NULL };

	for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
		char *path = trial_path(t, first[i]);
		int status = file_remove(path, e);

		free(path);
		if (status < 0)
			return -1;
	}
	return directory_clear(t->directory, kept, e);
}

static int
write_config(struct trial *t, const char *mark, struct error *e)
{
	char *directory = file_absolute(t->directory);
	char *here = trial_path(t, "trial_config.json"), *config = memory_format("%s/trial_config.json", directory);
	int status = trial_config_publish(here, t->config, t->assigned, directory, t->timeout, e);

	harness_set_environment(&t->harness, "CS_TRIAL_DIR", directory);
	harness_set_environment(&t->harness, "CS_TRIAL_CONFIG", config);
	harness_set_environment(&t->harness, PROCESS_MARK, mark);
	free(here);
	free(config);
	free(directory);
	return status;
}

int
trial_show_waiting(const struct trial *t, const char *what, struct error *e)
{
	char *path = trial_path(t, STATUS_WAITING), *line = memory_format("%s\n", what ? what : "");
	int status = what ? file_update(path, line, strlen(line), e) : file_remove(path, e);

	free(line);
	free(path);
	return status < 0 ? -1 : 0;
}

/* NUMBERS as the config writes such a field: as GIVEN is a list or a number, or else as text. */
static struct json_object *
like_given(struct json_object *given, const long *numbers, size_t num)
{
	struct json_object *list;
	char *text;

	if (json_object_is_type(given, json_type_int) && num == 1)
		return json_object_new_int64(numbers[0]);
	if (json_object_is_type(given, json_type_array)) {
		list = json_object_new_array();
		for (size_t i = 0; i < num; i++)
			json_object_array_add(list, json_object_new_int64(numbers[i]));
		return list;
	}
	text = memory_string("");
	for (size_t i = 0; i < num; i++) {
		char *longer = memory_format("%s%s%ld", text, i > 0 ? "," : "", numbers[i]);

		free(text);
		text = longer;
	}
	list = json_object_new_string(text);
	free(text);
	return list;
}

void
trial_assign(struct trial *t, const struct claim *claim)
{
	const struct demand *d = &t->demand;
	char *devices = d->chooses_devices ? NULL : claim_devices(claim);

	if (devices)
		harness_set_environment(&t->harness, "CUDA_VISIBLE_DEVICES", devices);
	free(devices);
	if (!claim->pick.gpus && !claim->pick.ports)
		return;
	t->assigned = json_object_new_object();
	for (size_t i = 0; claim->pick.gpus && i < d->num_gpu_fields; i++) {
		const struct demand_gpus *of = &d->gpu_fields[i];
		long *numbers = memory_alloc(of->num, sizeof *numbers);

		for (size_t k = 0; k < of->num; k++)
			numbers[k] = claim->pick.gpus[of->places[k]];
		json_object_object_add(t->assigned, of->field,
		    like_given(json_object_object_get(t->config, of->field), numbers, of->num));
		free(numbers);
	}
	for (size_t i = 0; claim->pick.ports && i < d->num_port_fields; i++)
		json_object_object_add(t->assigned, d->port_fields[i].field, json_object_new_int64(claim->pick.ports[i]));
	if (claim->pick.ports && d->scheduler_host) { /* then scheduler_port is the first of the fields */
		char *address = memory_format("%s:%ld", d->scheduler_host, claim->pick.ports[0]);

		json_object_object_add(t->assigned, "scheduler_address", json_object_new_string(address));
		free(address);
	}
}

int
trial_prepare(struct trial *t, int lock, const char *mark, struct error *e)
{
	char left[LOCK_MARK_MAX];

	if (check_ownership(t, e) < 0)
		return -1;
	if (lock_has_mark(t->lock_path, left) && left[0])
		process_end(0, left, 0);
	if (lock_set_mark(lock, t->lock_path, mark, e) < 0 || clear_directory(t, e) < 0 || write_config(t, mark, e) < 0)
		return -1;
	return log_open(t->directory, e);
}

bool
trial_settle(const struct trial *t, int lock, const struct guardian_outcome *outcome)
{
	char *results = trial_path(t, "benchmark_results.json"), *aside = trial_path(t, "benchmark_results.incomplete.json");
	bool done = true;

	if (outcome->end != GUARDIAN_EXITED || outcome->status != 0)
		done = rename(results, aside) == 0 || errno == ENOENT;
	free(results);
	free(aside);
	return done && lock_clear_mark(lock) == 0;
}
