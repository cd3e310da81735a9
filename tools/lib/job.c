#include "job.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "file.h"
#include "json.h"
#include "memory.h"
#include "rate.h"

enum { NAME_MAX_CHARACTERS = 50 };

/* The parent's path, two levels up when UP is 2; "../.." steps are kept, so that links stay as they are. */
static char *
output_dir_of(const char *directory)
{
	char *path = memory_string(directory), *slash;
	int up;

	for (up = 0; up < 2 && (slash = strrchr(path, '/')) != NULL && slash != path && strcmp(slash, "/..") != 0 &&
	    strcmp(slash, "/.") != 0; up++)
		*slash = '\0';
	if (up < 2) {
		free(path);
		return memory_format("%s/../..", directory);
	}
	return path;
}

/* The last part of the real path: the name under which make knows the job. */
static char *
name_of(const char *directory)
{
	char *path = file_absolute(directory);
	char *name = memory_string(strrchr(path, '/') ? strrchr(path, '/') + 1 : path);

	free(path);
	return name;
}

int
job_read(const char *directory, struct job *job, struct error *e)
{
	char *path;
	size_t n;

	memset(job, 0, sizeof *job);
	job->directory = memory_string(directory);
	for (n = strlen(directory); n > 1 && job->directory[n - 1] == '/'; n--)
		job->directory[n - 1] = '\0';
	path = memory_format("%s/job.json", job->directory);
	job->json = json_read(path, e);
	if (!error_is_set(e) && !json_object_is_type(job->json, json_type_object))
		error_add(e, EX_DATAERR, path, 1, "expected a JSON object, a job");
	if (!error_is_set(e))
		search_from_json(json_object_object_get(job->json, "search"), path, &job->search, e);
	free(path);
	if (error_is_set(e)) {
		job_free(job);
		return -1;
	}
	job->directory_name = name_of(job->directory);
	job->output_dir = output_dir_of(job->directory);
	job->max_failed_requests_pct = json_get_number(json_object_object_get(job->json, "search"),
	    "max_failed_requests_pct", 0);
	job->early_stop = early_stop_from_json(json_object_object_get(job->json, "search"));
	job->benchmark_timeout = json_get_number(job->json, "benchmark_timeout", INFINITY);
	return 0;
}

void
job_free(struct job *job)
{
	free(job->directory);
	free(job->directory_name);
	free(job->output_dir);
	json_object_put(job->json);
	search_free(&job->search);
	memset(job, 0, sizeof *job);
}

const char *
job_name(const struct job *job)
{
	return json_get_text(job->json, "job_name", job->directory_name);
}

const char *
job_harness(const struct job *job)
{
	struct json_object *harness = json_object_object_get(job->json, "harness");
	struct json_object *command;

	if (json_object_object_get_ex(harness, "command", &command))
		return json_object_get_string(json_object_array_get_idx(command, 0));
	return json_object_get_string(harness);
}

char *
job_trial_directory(const struct job *job, double qps)
{
	char text[RATE_TEXT_MAX];

	return memory_format("%s/runs/%s", job->directory, rate_text(qps, text));
}

char *
job_directory_name(const char *name, const char *key_hex)
{
	char *clean = memory_alloc(strlen(name) + 1, 1), *result;
	size_t n = 0;

	for (const char *p = name; *p; p++) {
		char c = isalnum((unsigned char)*p) || *p == '-' ? *p : '_';

		if (c != '_' || (n > 0 && clean[n - 1] != '_'))
			clean[n++] = c;
	}
	n = n > NAME_MAX_CHARACTERS ? NAME_MAX_CHARACTERS : n;
	while (n > 0 && clean[n - 1] == '_')
		n--;
	clean[n] = '\0';
	result = memory_format("%s_%s", n ? clean : "job", key_hex);
	free(clean);
	return result;
}
