#include "statement.h"

#include <stdio.h>
#include <stdlib.h>

#include "assessment.h"
#include "input.h"
#include "log.h"
#include "memory.h"
#include "program.h"
#include "trial.h"
#include "trial_result.h"

/* Tells people what the trial came to: always for a job's, else if it is not as it should be. */
static void
tell(const struct trial *t, const struct trial_result *r)
{
	char *newer = r->cached ? input_newer_than_results(t) : NULL;
	char *note = newer ? memory_format("%s is newer: to run it again, remove %s", newer, t->directory) : NULL;
	char *text = trial_result_summary(r, t->title, t->timeout, note), *tail;

	if (t->of_job || r->error || r->timed_out || note)
		fprintf(stderr, "%s\n", text);
	if (r->timed_out && r->harness_status == 2 && !(r->elapsed > t->timeout / 2)) {
		tail = log_tail(t->directory);
		program_warn("%s: exit status 2 means a time-out, but it came after %.1f s; last lines of the log: %s",
		    t->directory, r->elapsed, tail);
		free(tail);
	}
	free(text);
	free(note);
	free(newer);
}

int
statement_of_result(const struct trial *t, const struct trial_result *r, bool is_in_file)
{
	char *path = trial_path(t, "trial_result.json");

	if (is_in_file)
		puts(path);
	free(path);
	tell(t, r);
	return is_in_file ? 0 : r->error ? 1 : r->timed_out ? 2 : 0;
}

int
statement_of_plan(const struct trial *t)
{
	struct trial_result r;
	bool complete;

	trial_result_init(&r);
	complete = assessment_of_cache(t, &r);
	trial_result_free(&r);
	printf("%s: ", t->run_dir);
	fputs(complete ? "is complete" : "would run", stdout);
	for (char **word = t->harness.argv; !complete && *word; word++)
		printf(" %s", *word);
	putchar('\n');
	return 0;
}

int
statement_of_cache(const struct trial *t, bool prints)
{
	struct trial_result r;
	int status = 1;
	char *line;

	trial_result_init(&r);
	if (assessment_of_cache(t, &r)) {
		line = trial_result_line(&r);
		if (prints)
			fputs(line, stdout);
		free(line);
		status = 0;
	}
	trial_result_free(&r);
	return status;
}
