#include "trail.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "json.h"
#include "memory.h"
#include "rate.h"

void
trail_free(struct trail *t)
{
	for (size_t i = 0; i < t->num; i++) {
		free(t->trials[i].run_dir);
		free(t->trials[i].benchmark_results);
		json_object_put(t->trials[i].result);
	}
	free(t->trials);
	free(t->verdicts);
	free(t->error);
	search_trace_free(&t->trace);
}

const struct trail_trial *
trail_trial(const struct trail *t, size_t entry)
{
	return &t->trials[t->trace.entries[entry] - t->verdicts];
}

static int
stop(struct trail *t, bool own, double qps, const char *what)
{
	char text[RATE_TEXT_MAX];

	t->error = memory_format("%s qps: %s", rate_text(qps, text), what);
	t->error_is_own = own;
	return -1;
}

/* The result of the trial at QPS as a verdict; -1 when the search cannot go on with it, and T says why. */
static int
judge(const struct job *job, struct json_object *result, const char *file, double qps, struct verdict *v,
    struct trail *t)
{
	const char *own = json_object_is_type(result, json_type_object) ? json_get_text(result, "error", NULL) : NULL;
	struct error fault = ERROR_NONE;
	int status = 0;

	if (own)
		return stop(t, true, qps, own);
	if (verdict_from_json(result, file, 1, v, &fault) < 0)
		status = stop(t, true, qps, fault.text);
	else if (v->errored)
		status = stop(t, true, qps, "its trial_result.json has an error that is no text");
	else if (v->qps != qps)
		status = stop(t, true, qps, "its trial_result.json is that of another rate");
	else if (v->passed == VERDICT_NONE && job->search.num_qps == 0)
		status = stop(t, true, qps, "its trial_result.json has no verdict (\"passed\" is null), and the search needs one");
	error_clear(&fault);
	return status;
}

/* Reads the result of the trial at QPS and appends it. -1: the search ends here, and T says why. */
static int
read_trial(const struct job *job, double qps, struct trail *t)
{
	char *directory = job_trial_directory(job, qps), *path = memory_format("%s/trial_result.json", directory);
	char text[RATE_TEXT_MAX];
	char *run_dir = memory_format("jobs/%s/runs/%s", job->directory_name, rate_text(qps, text));
	char *shown = memory_format("%s/trial_result.json", run_dir);
	struct error fault = ERROR_NONE;
	struct json_object *result = NULL;
	struct verdict v;
	size_t size = 0;
	char *bytes = file_read(path, &size, &fault);

	if (bytes)
		result = json_parse(bytes, size, shown, 1, &fault);
	if (!bytes && access(path, F_OK) != 0)
		stop(t, false, qps, "there is no trial_result.json");
	else if (error_is_set(&fault))
		stop(t, true, qps, bytes ? fault.text : "its trial_result.json cannot be read");
	else if (judge(job, result, shown, qps, &v, t) == 0) {
		t->verdicts = memory_resize(t->verdicts, t->num + 1, sizeof *t->verdicts);
		t->trials = memory_resize(t->trials, t->num + 1, sizeof *t->trials);
		t->verdicts[t->num] = v;
		t->trials[t->num++] = (struct trail_trial){ memory_string(run_dir),
			memory_format("%s/benchmark_results.json", directory), json_object_get(result) };
	}
	json_object_put(result);
	error_clear(&fault);
	free(bytes);
	free(shown);
	free(run_dir);
	free(path);
	free(directory);
	return t->error ? -1 : 0;
}

void
trail_follow(const struct job *job, struct trail *t)
{
	memset(t, 0, sizeof *t);
	search_replay(&job->search, t->verdicts, t->num, &t->trace);
	while (t->trace.end == SEARCH_GOES_ON && read_trial(job, t->trace.next_qps, t) == 0) {
		search_trace_free(&t->trace);
		search_replay(&job->search, t->verdicts, t->num, &t->trace);
	}
}
