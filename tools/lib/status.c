#include "status.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "file.h"
#include "job.h"
#include "json.h"
#include "lock.h"
#include "memory.h"
#include "rate.h"
#include "roster.h"
#include "summary.h"
#include "table.h"
#include "trail.h"

/* What the estimate rests on: no more than SAMPLE finished jobs are opened for it. */
enum { SAMPLE = 20 };

struct durations {
	double seconds; /* of the benchmarks that were run */
	double trials;  /* how many those are */
	double jobs;    /* finished jobs looked at */
	double per_job; /* their trials */
};

static void
add_duration(struct durations *d, struct json_object *result)
{
	double elapsed = json_get_number(result, "elapsed_s", NAN);

	if (isnan(elapsed))
		return;
	d->seconds += elapsed;
	d->trials++;
}

/* Follows the search of a job, and adds what its trials took; false if there is nothing to follow. */
static bool
follow(const char *job_path, struct job *job, struct trail *trail, struct durations *d)
{
	struct error ignored = ERROR_NONE;

	if (job_read(job_path, job, &ignored) < 0) {
		error_clear(&ignored);
		return false;
	}
	trail_follow(job, trail);
	for (size_t i = 0; i < trail->num; i++)
		add_duration(d, trail->trials[i].result);
	return true;
}

/* Adds what the trials of a finished job took. */
static void
sample_finished(const char *job_path, struct durations *d)
{
	struct trail trail;
	struct job job;

	if (d->jobs >= SAMPLE || !follow(job_path, &job, &trail, d))
		return;
	d->jobs++;
	d->per_job += (double)trail.num;
	trail_free(&trail);
	job_free(&job);
}

/* The locks that a trial waits for, as its file says (to be freed); NULL: none. */
static char *
waiting_for(const char *trial_path)
{
	char *path = memory_format("%s/" STATUS_WAITING, trial_path), *text;
	struct error ignored = ERROR_NONE;
	size_t size;

	text = access(path, F_OK) == 0 ? file_read(path, &size, &ignored) : NULL;
	error_clear(&ignored);
	free(path);
	if (text)
		text[strcspn(text, "\n")] = '\0';
	return text;
}

/* Adds the trial RUNS/QPS if it is under way: its lock is held, and has text since it began, or it waits for others. */
static void
add_trial(struct status *s, const char *runs, const char *qps, const struct job *job, const struct search_trace *trace)
{
	char *path = memory_format("%s/%s", runs, qps), *lock = memory_format("%s/.lock", path), *waits = waiting_for(path);
	struct status_trial *t;
	struct timespec now;
	struct stat st;

	if (stat(lock, &st) == 0 && (st.st_size > 0 || waits) && lock_is_held(lock)) {
		s->num_waiting += waits != NULL;
		clock_gettime(CLOCK_REALTIME, &now);
		s->trials = memory_resize(s->trials, s->num_trials + 1, sizeof *s->trials);
		t = &s->trials[s->num_trials++];
		*t = (struct status_trial){ .job = memory_string(job_name(job)), .qps = memory_string(qps), .waiting_for = waits,
			.elapsed = fmax(0, (double)(now.tv_sec - st.st_mtim.tv_sec)), .timeout = job->benchmark_timeout,
			.best_qps = trace->best_qps, .failing_qps = trace->lowest_failing_qps };
		waits = NULL;
	}
	free(waits);
	free(lock);
	free(path);
}

/* Adds the trials of a job that is being searched. */
static void
add_search(struct status *s, const char *job_path, const char *runs, DIR *directory, struct durations *d)
{
	struct dirent *entry;
	struct trail trail;
	struct job job;

	if (!follow(job_path, &job, &trail, d))
		return;
	s->num_done += trail.num;
	while ((entry = readdir(directory)) != NULL)
		if (entry->d_name[0] != '.')
			add_trial(s, runs, entry->d_name, &job, &trail.trace);
	trail_free(&trail);
	job_free(&job);
}

/* Adds an unfinished job. One that was never begun has no runs/; of one that is not being searched the trials are only counted. */
static void
add_job(struct status *s, const char *job_path, struct durations *d)
{
	char *runs = memory_format("%s/runs", job_path), *lock = memory_format("%s/" JOB_LOCK, job_path);
	DIR *directory = opendir(runs);
	struct dirent *entry;

	if (directory && lock_is_held(lock))
		add_search(s, job_path, runs, directory, d);
	while (directory && (entry = readdir(directory)) != NULL)
		s->num_done += entry->d_name[0] != '.';
	if (directory)
		closedir(directory);
	free(lock);
	free(runs);
}

/* Seconds for the trials that are left, if each takes as long as those before and as many run at once as now. */
static double
estimate(const struct status *s, const struct durations *d)
{
	double unfinished = (double)(s->num_jobs - s->num_finished);
	double per_job = d->jobs > 0 ? d->per_job / d->jobs : 10; /* doubling and bisecting take about ten */
	double left = fmax(unfinished * per_job - (double)s->num_done, (double)s->num_trials);
	double at_once = fmax(1, (double)(s->num_trials - s->num_waiting));

	if (unfinished == 0)
		return 0;
	return d->trials > 0 ? left * (d->seconds / d->trials) / at_once : NAN;
}

int
status_read(const char *output_dir, struct status *s, struct error *e)
{
	struct durations durations = { 0 };
	struct roster roster;

	memset(s, 0, sizeof *s);
	if (roster_read(output_dir, &roster, e) < 0)
		return -1;
	s->num_jobs = roster.num;
	for (size_t i = 0; i < roster.num; i++) {
		char *job = memory_format("%s/jobs/%s", roster.output_dir, roster.directories[i]);
		char *summary = memory_format("%s/" SUMMARY_FILE, job);

		if (access(summary, F_OK) == 0) {
			s->num_finished++;
			sample_finished(job, &durations);
		} else {
			add_job(s, job, &durations);
		}
		free(summary);
		free(job);
	}
	s->seconds_left = estimate(s, &durations);
	roster_free(&roster);
	return 0;
}

void
status_free(struct status *s)
{
	for (size_t i = 0; i < s->num_trials; i++) {
		free(s->trials[i].job);
		free(s->trials[i].qps);
		free(s->trials[i].waiting_for);
	}
	free(s->trials);
	memset(s, 0, sizeof *s);
}

/* The bracket between the rates of T: 4 to 8, above 4, below 2, or nothing (to be freed). */
static char *
bracket_text(const struct status_trial *t)
{
	char low[RATE_TEXT_MAX], high[RATE_TEXT_MAX];

	rate_text(t->best_qps, low);
	rate_text(t->failing_qps, high);
	if (t->best_qps > 0 && t->failing_qps > 0)
		return memory_format("between %s and %s", low, high);
	if (t->best_qps > 0)
		return memory_format("above %s", low);
	return t->failing_qps > 0 ? memory_format("below %s", high) : memory_string("");
}

static char *
time_text(const struct status_trial *t)
{
	if (t->waiting_for)
		return memory_format("waiting for %s", t->waiting_for);
	if (isinf(t->timeout))
		return memory_format("%.0f s", t->elapsed);
	return memory_format("%.0f of %.0f s", t->elapsed, t->timeout);
}

static char *
left_text(double seconds)
{
	if (isnan(seconds) || seconds <= 0)
		return memory_string("");
	if (seconds < 90)
		return memory_format(", about %.0f s left", seconds);
	return seconds < 5400 ? memory_format(", about %.0f min left", seconds / 60)
	    : memory_format(", about %.1f h left", seconds / 3600);
}

/* The last line (to be freed). */
static char *
total_text(const struct status *s)
{
	size_t running = s->num_trials - s->num_waiting;
	char *left = left_text(s->seconds_left);
	char *waiting = s->num_waiting ? memory_format(", %zu waiting", s->num_waiting) : memory_string("");
	char *text = memory_format("%zu of %zu jobs finished, %zu trial%s running%s%s\n", s->num_finished, s->num_jobs, running,
	    running == 1 ? "" : "s", waiting, left);

	free(waiting);
	free(left);
	return text;
}

char *
status_text(const struct status *s, bool utf8, size_t width, size_t height)
{
	/* The table's header, the line for those that are not shown, and the total. */
	size_t shown = height == 0 || s->num_trials + 2 <= height ? s->num_trials : height > 3 ? height - 3 : 0;
	struct table *table = table_new(utf8);
	char *rows, *total = total_text(s), *more, *text;
	bool cut;

	table_add_column(table, "running", TABLE_LEFT | TABLE_CUT_MIDDLE);
	table_add_column(table, "requests/s", TABLE_RIGHT);
	table_add_column(table, "time", TABLE_LEFT | TABLE_CUT_END);
	table_add_column(table, "capacity so far", TABLE_LEFT);
	for (const struct status_trial *t = s->trials; t < s->trials + shown; t++) {
		char *time = time_text(t), *bracket = bracket_text(t);

		table_add_cell(table, t->job);
		table_add_cell(table, t->qps);
		table_add_cell(table, time);
		table_add_cell(table, bracket);
		free(time);
		free(bracket);
	}
	rows = shown ? table_text(table, width, &cut) : memory_string("");
	more = shown < s->num_trials ? memory_format("and %zu more\n", s->num_trials - shown) : memory_string("");
	text = memory_format("%s%s%s", rows, more, total);
	free(more);
	free(rows);
	free(total);
	table_free(table);
	return text;
}
