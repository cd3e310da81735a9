#include "output.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "file.h"
#include "installation.h"
#include "json.h"
#include "memory.h"

#define MARK "# Written by cs-expand from a config; its next run overwrites this file.\n"
#define RULES ".capacity-search"

/* The files to be written, and the old Makefile. */
struct plan {
	const char *directory;
	const struct config *config;
	char *makefile, *old_makefile;  /* old: "" where there is none */
	char *sla;
	bool sla_changes, jobs_change;
};

static char *
makefile_text(const struct config *config)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		memory_exhausted();
	fputs(MARK "\nJOBS = \\\n", f);
	for (size_t i = 0; i < config->num_jobs; i++)
		fprintf(f, "  %s \\\n", config->jobs[i].directory_name);
	if (config->unlocked < config->num_jobs) /* search.mk warns that its trials hold no lock */
		fprintf(f, "\nUNLOCKED = %s\n", config->jobs[config->unlocked].directory_name);
	fputs("\ninclude " RULES "/search.mk\n", f);
	if (fclose(f) != 0)
		memory_exhausted();
	return text;
}

/* Reads the Makefile that is there, which has to be cs-expand's. */
static int
read_old_makefile(struct plan *plan, struct error *e)
{
	char *path = memory_format("%s/Makefile", plan->directory);
	size_t size;

	plan->old_makefile = access(path, F_OK) == 0 ? file_read(path, &size, e) : memory_string("");
	if (plan->old_makefile && *plan->old_makefile && strncmp(plan->old_makefile, MARK, strlen(MARK)) != 0)
		error_add(e, EX_CANTCREAT, path, 1, "this is no Makefile of cs-expand's; expected a directory without one");
	if (error_is_set(e))
		e->status = EX_CANTCREAT;
	free(path);
	return error_is_set(e) ? -1 : 0;
}

/* Whether the old Makefile has the job of that directory: if not, nobody kept its summary up to date. */
static bool
was_listed(const struct plan *plan, const char *directory_name)
{
	char *line = memory_format("\n  %s \\\n", directory_name);
	bool was = strstr(plan->old_makefile, line) != NULL;

	free(line);
	return was;
}

static int
remove_file(const char *directory, const char *name, struct error *e)
{
	char *path = memory_format("%s/%s", directory, name);

	if (file_remove(path, e) < 0)
		e->status = EX_CANTCREAT;
	free(path);
	return error_is_set(e) ? -1 : 0;
}

static char *
job_path(const struct plan *plan, const struct config_job *job, const char *file)
{
	return memory_format("%s/jobs/%s%s", plan->directory, job->directory_name, file);
}

/* Removes the summaries of the jobs that change, and the results if anything does. */
static int
remove_dependents(struct plan *plan, struct error *e)
{
	for (size_t i = 0; i < plan->config->num_jobs && !error_is_set(e); i++) {
		const struct config_job *job = &plan->config->jobs[i];
		char *path = job_path(plan, job, "/job.json"), *summary = job_path(plan, job, "/job_summary.json");
		char *text = json_pretty(job->json);
		bool changes = !file_equals(path, text, strlen(text));

		plan->jobs_change = plan->jobs_change || changes;
		if ((changes || plan->sla_changes || !was_listed(plan, job->directory_name)) && file_remove(summary, e) < 0)
			e->status = EX_CANTCREAT;
		free(text);
		free(summary);
		free(path);
	}
	if (error_is_set(e))
		return -1;
	if (!plan->jobs_change && !plan->sla_changes && strcmp(plan->makefile, plan->old_makefile) == 0)
		return 0;
	remove_file(plan->directory, "capacity_search_results.json", e);
	return remove_file(plan->directory, "capacity_search_results.csv", e);
}

static int
write_job(const struct plan *plan, const struct config_job *job, struct error *e)
{
	char *path = job_path(plan, job, ""), *file = job_path(plan, job, "/job.json"), *text = json_pretty(job->json);
	int status = file_make_directory(path, e);

	if (status == 0 && file_update(file, text, strlen(text), e) < 0)
		status = -1;
	free(text);
	free(file);
	free(path);
	return status;
}

/* Lets DIRECTORY/.capacity-search lead to the installed rules. */
static int
link_rules(const char *directory, struct error *e)
{
	char *path = memory_format("%s/" RULES, directory), *temporary = memory_format("%s.%ld.tmp", path, (long)getpid());
	char *rules = installation_share(""), there[PATH_MAX];
	ssize_t n = readlink(path, there, sizeof there);

	if (n < 0 || (size_t)n != strlen(rules) || memcmp(there, rules, (size_t)n) != 0) {
		if (unlink(temporary) != 0 && errno != ENOENT)
			error_add_errno(e, EX_CANTCREAT, temporary, "cannot remove");
		else if (symlink(rules, temporary) != 0 || rename(temporary, path) != 0)
			error_add_errno(e, EX_CANTCREAT, path, "cannot make this link");
		if (error_is_set(e))
			unlink(temporary);
	}
	free(rules);
	free(temporary);
	free(path);
	return error_is_set(e) ? -1 : 0;
}

static int
update_file(const char *directory, const char *name, const char *text, struct error *e)
{
	char *path = memory_format("%s/%s", directory, name);
	int status = file_update(path, text, strlen(text), e);

	free(path);
	return status < 0 ? -1 : 0;
}

/*
 * Summaries go first, the job list and the rules come last: whenever it is cut off, make finds either
 * what rests on the files at hand, or nothing.
 */
static int
write_all(struct plan *plan, struct error *e)
{
	char *jobs = memory_format("%s/jobs", plan->directory);
	int status = file_make_directory(jobs, e);

	free(jobs);
	if (status < 0 || link_rules(plan->directory, e) < 0 || remove_dependents(plan, e) < 0)
		return -1;
	for (size_t i = 0; i < plan->config->num_jobs; i++)
		if (write_job(plan, &plan->config->jobs[i], e) < 0)
			return -1;
	if (update_file(plan->directory, "Makefile", plan->makefile, e) < 0)
		return -1;
	return update_file(plan->directory, "sla.json", plan->sla, e);
}

int
output_write(const char *directory, const struct config *config, struct error *e)
{
	struct plan plan = { .directory = directory, .config = config };
	char *sla_path = memory_format("%s/sla.json", directory);
	int status = read_old_makefile(&plan, e);

	if (status == 0) {
		plan.makefile = makefile_text(config);
		plan.sla = json_pretty(config->sla);
		plan.sla_changes = !file_equals(sla_path, plan.sla, strlen(plan.sla));
		status = write_all(&plan, e);
	}
	free(plan.makefile);
	free(plan.old_makefile);
	free(plan.sla);
	free(sla_path);
	return status;
}
