#include "input.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "file.h"
#include "json.h"
#include "memory.h"
#include "trial.h"

/* Whether NAME, from the directory where the harness runs, is a file that changed after THEN. */
static bool
is_newer(const struct trial *t, const char *name, struct timespec then)
{
	char *path = name[0] == '/' || !t->harness.directory ? memory_string(name)
	    : memory_format("%s/%s", t->harness.directory, name);
	struct timespec latest = then;
	struct stat st;
	bool newer = stat(path, &st) == 0 && S_ISREG(st.st_mode) && file_latest_mtime(path, &latest) &&
	    (latest.tv_sec != then.tv_sec || latest.tv_nsec != then.tv_nsec);

	free(path);
	return newer;
}

static bool
names_input(const char *key)
{
	size_t n = strlen(key);

	return strcmp(key, "script") == 0 || (n > 5 && strcmp(key + n - 5, "_file") == 0);
}

char *
input_newer_than_results(const struct trial *t)
{
	char *results = trial_path(t, trial_has(t, "benchmark_results.json") ? "benchmark_results.json" : "trial_result.json");
	struct timespec then = { 0, 0 };
	const char *found = NULL;

	file_latest_mtime(results, &then);
	free(results);
	for (char **word = t->harness.argv; *word && !found; word++)
		if (strchr(*word, '/') && is_newer(t, *word, then))
			found = *word;
	json_object_object_foreach(t->config, key, value)
		if (!found && names_input(key) && json_object_is_type(value, json_type_string) &&
		    is_newer(t, json_object_get_string(value), then))
			found = json_object_get_string(value);
	return found ? memory_string(found) : NULL;
}
