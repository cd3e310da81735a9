#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sysexits.h>
#include <unistd.h>

#include "installation.h"
#include "job.h"
#include "json.h"
#include "memory.h"
#include "process.h"

static void
free_list(char **list)
{
	for (char **p = list; p && *p; p++)
		free(*p);
	free(list);
}

void
harness_free(struct harness *harness)
{
	free_list(harness->argv);
	free_list(harness->environment);
	free(harness->directory);
	memset(harness, 0, sizeof *harness);
}

/* A copy of the first COUNT of LIST, NULL behind them. */
static char **
copy_list(char *const *list, size_t count)
{
	char **copy = memory_alloc(count + 1, sizeof *copy);

	for (size_t i = 0; i < count; i++)
		copy[i] = memory_string(list[i]);
	return copy;
}

void
harness_from_command(char *const *command, char *const *environment, size_t num_environment, struct harness *harness)
{
	size_t n = 0;

	memset(harness, 0, sizeof *harness);
	while (command[n])
		n++;
	harness->argv = copy_list(command, n);
	harness->environment = copy_list(environment, num_environment);
	harness->num_environment = num_environment;
}

/* {"command": [WORD...]}: the first word is relative to DIRECTORY if it has a slash. NULL if it is none. */
static char **
words_of(struct json_object *command, const char *directory)
{
	size_t n = json_object_is_type(command, json_type_array) ? json_object_array_length(command) : 0;
	char **argv = memory_alloc(n + 1, sizeof *argv);

	for (size_t i = 0; i < n; i++) {
		const char *word = json_object_get_string(json_object_array_get_idx(command, i));

		if (!word)
			word = "";
		argv[i] = i == 0 && word[0] != '/' && strchr(word, '/') ? memory_format("%s/%s", directory, word)
		    : memory_string(word);
	}
	if (n > 0 && argv[0][0])
		return argv;
	free_list(argv);
	return NULL;
}

int
harness_from_job(const struct job *job, struct harness *harness, struct error *e)
{
	struct json_object *given = json_object_object_get(job->json, "harness"), *command = NULL;
	const char *directory = json_get_text(job->json, "config_dir", ".");

	memset(harness, 0, sizeof *harness);
	if (json_object_is_type(given, json_type_string)) {
		harness->argv = memory_alloc(2, sizeof *harness->argv);
		harness->argv[0] = installation_harness(json_object_get_string(given), "");
		if (!harness->argv[0]) {
			harness_free(harness);
			return error_add(e, EX_UNAVAILABLE, job->directory, 0,
			    "there is no harness '%s' in this installation or in CS_HARNESS_PATH",
			    json_object_get_string(given));
		}
	} else {
		if (json_object_is_type(given, json_type_object))
			json_object_object_get_ex(given, "command", &command);
		harness->argv = words_of(command, directory);
		if (!harness->argv)
			return error_add(e, EX_DATAERR, job->directory, 0,
			    "job.json has no \"harness\"; expected a name or {\"command\": [WORD...]}");
	}
	harness->environment = memory_alloc(1, sizeof *harness->environment);
	harness->directory = memory_string(directory);
	return 0;
}

void
harness_set_environment(struct harness *harness, const char *name, const char *value)
{
	harness->environment = memory_resize(harness->environment, harness->num_environment + 2,
	    sizeof *harness->environment);
	harness->environment[harness->num_environment++] = memory_format("%s=%s", name, value);
	harness->environment[harness->num_environment] = NULL;
}

static void
reset_signals(void)
{
	sigset_t none;

	for (int s = 1; s <= SIGRTMAX; s++)
		signal(s, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Whether PAIR, NAME=VALUE, sets the variable that NAME begins with, up to its end or a =. */
static bool
sets(const char *pair, const char *name)
{
	size_t n = strcspn(name, "=");

	return strncmp(pair, name, n) == 0 && pair[n] == '=';
}

/* Whether one of LIST sets what NAME names. */
static bool
is_set_in(char *const *list, const char *name)
{
	while (*list && !sets(*list, name))
		list++;
	return *list;
}

static bool
is_makes(const char *pair)
{
	static const char *const makes[] = { "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "MAKE_TERMOUT",
		"MAKE_TERMERR", "GNUMAKEFLAGS", "LAUNCHER", "SPECULATE", "KEEP_FAILED", "TRIAL_COMMAND", "TRIAL_FLAGS",
		"TRIAL_ROUND" };
	size_t i = 0;

	while (i < sizeof makes / sizeof *makes && !sets(pair, makes[i]))
		i++;
	return i < sizeof makes / sizeof *makes;
}

char **
harness_environment(const struct harness *harness)
{
	const char *inherited = getenv("PATH");
	char *bin = installation_bin();
	char *path = memory_format("PATH=%s:%s", bin, inherited ? inherited : "/usr/local/bin:/usr/bin:/bin");
	size_t room = harness->num_environment + 2, n = 0, size = strlen(path) + 1;
	char **list;

	for (char **p = environ; *p; p++)
		room++;
	list = memory_alloc(1, room * sizeof *list + size); /* PATH's text is behind the list */
	memcpy(list + room, path, size);
	if (!is_set_in(harness->environment, path))
		list[n++] = (char *)(list + room);
	for (char **p = environ; *p; p++)
		if (!is_makes(*p) && !sets(*p, "PATH") && !is_set_in(harness->environment, *p))
			list[n++] = *p;
	for (char **p = harness->environment; *p; p++)
		if (!is_set_in(p + 1, *p))
			list[n++] = *p;
	list[n] = NULL;
	free(path);
	free(bin);
	return list;
}

_Noreturn void
harness_execute(const struct harness *harness, char **environment, int log, int parent)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	setsid();
	reset_signals();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(126);
	dup2(log, STDOUT_FILENO);
	dup2(log, STDERR_FILENO);
	dup2(null, STDIN_FILENO);
	process_close_all_but(NULL, 0);
	if (harness->directory && chdir(harness->directory) != 0) {
		dprintf(STDERR_FILENO, "cs-trial: %s: cannot run here: %s\n", harness->directory, strerror(errno));
		_exit(126);
	}
	environ = environment;
	execvp(harness->argv[0], harness->argv);
	dprintf(STDERR_FILENO, "cs-trial: %s: cannot run this: %s\n", harness->argv[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}
