#include "trials_mk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "memory.h"
#include "summary.h"

/* What a trial needs in the next invocation. */
enum need { NEED_NOTHING, NEED_UNLESS_KEEP_FAILED, NEED_RUN };

static enum need
need_of(const struct job *job, const struct trail_trial *trial, const struct verdict *v)
{
	double requests = json_get_number(trial->result, "num_requests", 0);
	double failed = json_get_number(trial->result, "num_failed", 0);
	bool complete = json_get_bool(trial->result, "complete", false);
	bool has_counts = json_get_number(trial->result, "harness_status", -1) == 0 ||
	    json_get_bool(trial->result, "stopped_early", false);
	bool too_many = failed * 100 > job->max_failed_requests_pct * requests;

	if (complete)
		return too_many ? NEED_UNLESS_KEEP_FAILED : NEED_NOTHING;
	if (!v->timed_out && too_many && failed < requests && has_counts)
		return NEED_UNLESS_KEEP_FAILED;
	return NEED_RUN;
}

/* Whether the trial behind ENTRY is in an earlier entry too: a list may name a rate twice. */
static bool
is_repeated(const struct trail *t, size_t entry)
{
	for (size_t i = 0; i < entry; i++)
		if (t->trace.entries[i] == t->trace.entries[entry])
			return true;
	return false;
}

/* Prints the paths that make is to watch, each after a blank; returns their number, and what the job needs in *MOST. */
static size_t
print_files(FILE *f, const struct job *job, const struct trail *t, enum need *most)
{
	size_t num = 0;

	for (size_t i = 0; i < t->trace.num; i++) {
		enum need need = need_of(job, trail_trial(t, i), t->trace.entries[i]);

		*most = need > *most ? need : *most;
		if (need == NEED_RUN || is_repeated(t, i))
			continue;
		fprintf(f, " %s/benchmark_results.json", trail_trial(t, i)->run_dir);
		num++;
	}
	return num;
}

char *
trials_mk_text(const struct job *job, const struct trail *t, bool again)
{
	enum need most = again ? NEED_RUN : NEED_NOTHING;
	char *text, *files;
	size_t size, num;
	FILE *f = open_memstream(&files, &size);

	if (!f)
		memory_exhausted();
	num = print_files(f, job, t, &most);
	if (fclose(f) != 0 || !(f = open_memstream(&text, &size)))
		memory_exhausted();
	fputs("# Generated: what " SUMMARY_FILE " rests on.\n", f);
	if (num > 0)
		fprintf(f, "jobs/%s/" SUMMARY_FILE ":%s\n%s:;\n", job->directory_name, files, files + 1);
	if (most == NEED_UNLESS_KEEP_FAILED)
		fputs("ifndef KEEP_FAILED\n", f);
	if (most != NEED_NOTHING)
		fprintf(f, "jobs/%s/" SUMMARY_FILE " capacity_search_results.json: FORCE\n", job->directory_name);
	if (most == NEED_UNLESS_KEEP_FAILED)
		fputs("endif\n", f);
	if (fclose(f) != 0)
		memory_exhausted();
	free(files);
	return text;
}

bool
trials_mk_is_safe(const struct job *job)
{
	static const char safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

	return job->directory_name[strspn(job->directory_name, safe)] == '\0';
}
