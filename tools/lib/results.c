#include "results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "cell.h"
#include "file.h"
#include "job.h"
#include "json.h"
#include "lock.h"
#include "memory.h"
#include "roster.h"

/* A job's name and key, as far as its directory or job.json tell, and WHY, for the list. */
static void
missing(const char *directory, const char *job_path, const char *why, struct summary *s)
{
	struct error ignored = ERROR_NONE;
	char *path = memory_format("%s/job.json", job_path), *name = memory_string(directory);
	char *key = strrchr(name, '_');
	struct json_object *job = json_read(path, &ignored);

	if (key)
		*key++ = '\0';
	if (!json_object_is_type(job, json_type_object)) {
		json_object_put(job);
		job = json_object_new_object();
	}
	summary_missing(json_get_text(job, "job_name", name), json_get_text(job, "job_key", key ? key : ""),
	    json_object_object_get(job, "harness"), why, s);
	json_object_put(job);
	error_clear(&ignored);
	free(name);
	free(path);
}

/* Notes that the summary PATH is there and cannot be read; returns why, without the path's directory (to be freed). */
static char *
add_broken(struct results *r, const char *path, const struct error *fault)
{
	r->broken = memory_resize(r->broken, r->num_broken + 1, sizeof *r->broken);
	r->broken[r->num_broken++] = memory_string(path);
	error_add(&r->faults, fault->status == EX_DATAERR ? EX_DATAERR : EX_IOERR, NULL, 0, "%s", fault->text);
	return memory_format(SUMMARY_FILE "%s", fault->text + strlen(path));
}

/* Waits for the end of the job's search, if there is no summary because somebody is at it. */
static void
await_search(const char *job_path, const char *summary)
{
	char *lock = memory_format("%s/" JOB_LOCK, job_path);

	if (access(summary, F_OK) != 0)
		lock_await(lock);
	free(lock);
}

/* Adds the summary of the job in jobs/DIRECTORY, or what stands for it. */
static void
add_job(struct results *r, const char *directory, bool patient)
{
	char *job_path = memory_format("%s/jobs/%s", r->output_dir, directory);
	char *path = memory_format("%s/" SUMMARY_FILE, job_path), *why;
	struct error fault = ERROR_NONE;
	struct summary *s;

	if ((r->num & (r->num - 1)) == 0) {
		r->list = memory_resize(r->list, r->num ? 2 * r->num : 1, sizeof *r->list);
		r->directories = memory_resize(r->directories, r->num ? 2 * r->num : 1, sizeof *r->directories);
	}
	r->directories[r->num] = memory_string(directory);
	s = &r->list[r->num++];
	if (patient)
		await_search(job_path, path);
	if (summary_read(path, s, &fault) == 0) {
		file_latest_mtime(path, &r->latest);
		r->num_errors += json_object_object_get(s->members, "error") != NULL;
	} else {
		if (access(path, F_OK) != 0) {
			r->num_missing++;
			why = memory_string("there is no " SUMMARY_FILE ": the job has not finished");
		} else {
			why = add_broken(r, path, &fault);
		}
		missing(directory, job_path, why, s);
		r->num_errors++;
		free(why);
	}
	error_clear(&fault);
	free(path);
	free(job_path);
}

int
results_read(const char *output_dir, bool patient, struct results *r, struct error *e)
{
	struct roster roster;

	memset(r, 0, sizeof *r);
	if (roster_read(output_dir, &roster, e) < 0)
		return -1;
	r->output_dir = memory_string(roster.output_dir);
	for (size_t i = 0; i < roster.num; i++)
		add_job(r, roster.directories[i], patient);
	roster_free(&roster);
	if (r->num_missing > 0 || r->num_broken > 0)
		r->latest = (struct timespec){ 0, 0 };
	return 0;
}

void
results_free(struct results *r)
{
	for (size_t i = 0; i < r->num_broken; i++)
		free(r->broken[i]);
	free(r->broken);
	free(r->output_dir);
	for (size_t i = 0; i < r->num; i++) {
		summary_free(&r->list[i]);
		free(r->directories[i]);
	}
	free(r->directories);
	free(r->list);
	error_clear(&r->faults);
	memset(r, 0, sizeof *r);
}

char *
results_json(const struct results *r)
{
	size_t size = sizeof "[\n]\n";
	char *text, *end;

	for (size_t i = 0; i < r->num; i++)
		size += sizeof ",\n  " + jsontext_indented_size(&r->list[i].text, 2);
	end = text = memory_alloc(size, 1);
	for (size_t i = 0; i < r->num; i++) {
		end = stpcpy(end, i == 0 ? "[\n  " : ",\n  ");
		end = jsontext_indent(&r->list[i].text, 2, end);
	}
	strcpy(end, "\n]\n");
	return text;
}

char *
results_csv(const struct results *r)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		memory_exhausted();
	fputs("job_name,job_key,max_qps_under_sla,num_trials,error\n", f);
	for (size_t i = 0; i < r->num; i++) {
		struct json_object *summary = r->list[i].members;
		struct json_object *capacity = json_object_object_get(summary, "max_qps_under_sla");
		struct json_object *trials = json_object_object_get(summary, "num_trials");

		cell_write(f, json_get_text(summary, "job_name", ""), ',');
		cell_write(f, json_get_text(summary, "job_key", ""), ',');
		cell_write(f, capacity ? json_object_get_string(capacity) : "", ',');
		cell_write(f, trials ? json_object_get_string(trials) : "", ',');
		cell_write(f, json_get_text(summary, "error", ""), '\n');
	}
	if (fclose(f) != 0)
		memory_exhausted();
	return text;
}

int
results_write(const struct results *r, struct error *e)
{
	char *json = results_json(r), *csv = results_csv(r);
	char *json_path = memory_format("%s/capacity_search_results.json", r->output_dir);
	char *csv_path = memory_format("%s/capacity_search_results.csv", r->output_dir);
	int status = 0;

	for (size_t i = 0; i < r->num_broken && status == 0; i++)
		status = file_make_old(r->broken[i], e);
	if (status == 0 && file_update_at(csv_path, csv, strlen(csv), r->latest, e) < 0)
		status = -1;
	if (status == 0 && file_update_at(json_path, json, strlen(json), r->latest, e) < 0)
		status = -1;
	free(csv_path);
	free(json_path);
	free(csv);
	free(json);
	return status;
}
