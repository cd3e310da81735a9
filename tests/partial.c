/*
 * What the rows of a trial decide before the others have come, beside what the whole trial comes to.
 *
 *   partial trials N DIR   N random trials, written to DIR row by row and looked at after each: what is decided is what the whole trial
 *                          comes to, and what it would come to with any other requests in the place of those to come
 *   partial reads DIR      a file looked at 200 times while it grows: prints its size and the bytes that were read
 *
 * The first exits 1 with the case after a difference, and when too few verdicts were known early. The seed is fixed.
 */
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "draw.h"
#include "follower.h"
#include "memory.h"
#include "quantile.h"
#include "sla.h"

enum { REQUESTS_MAX = 60, RULES = 3, COMPLETIONS = 12 };

struct request {
	bool is_failed, is_missing;
	double value;
};

struct sample {
	double values[REQUESTS_MAX];
	size_t num;
	double num_failed;
};

static char *metrics[] = { "m", "m", "m" };

/* Few different values, so that many are equal to each other and to thresholds. */
static double
random_value(long kinds)
{
	return chance(0.03) ? (chance(0.5) ? INFINITY : -INFINITY) : (double)below(kinds) / 2;
}

static struct rule
random_rule(long kinds)
{
	static const double quantiles[] = { 0, 0.01, 0.25, 0.5, 0.9, 0.99, 1 };
	struct rule rule = { metrics[0], chance(0.8) ? quantiles[below(7)] : random_uniform(&rng), false, (enum rule_op)below(5),
		chance(0.1) ? random_uniform(&rng) * (double)kinds / 2 : (double)below(kinds) / 2 };

	return rule;
}

static bool
rule_passes(const struct rule *rule, const struct sample *sample)
{
	double values[REQUESTS_MAX], value;

	memcpy(values, sample->values, sample->num * sizeof *values);
	value = quantile_linear(values, sample->num, rule->quantile, sample->num_failed, rule_worst(rule));
	return rule_holds(rule, rule->op == RULE_EQ && sample->num_failed > 0 ? NAN : value);
}

static void
add(struct sample *sample, const struct request *request)
{
	if (request->is_failed)
		sample->num_failed++;
	else if (!request->is_missing)
		sample->values[sample->num++] = request->value;
}

/* A request that comes after those at hand, of one of several kinds: all as good as can be, as bad, ... */
static struct request
other_request(int kind, const struct rule *rule)
{
	struct request request = { kind == 2, kind == 3 || (kind > 5 && chance(0.3)), rule->threshold };

	if (kind < 2)
		request.value = kind == 0 ? INFINITY : -INFINITY;
	else if (kind > 4)
		request.value += (double)below(5) / 2 - 1;
	return request;
}

/* Whether one of the SAMPLE failed, and spoilt an equality that those that complete would have kept. */
static bool
is_spoilt(const struct rule *rule, const struct sample *sample, enum prospect_outcome known)
{
	return rule->op == RULE_EQ && known == PROSPECT_PASSES && sample->num_failed > 0;
}

/* Whether the rule's outcome would be the same, whatever came. */
static bool
is_sure(const struct rule *rule, const struct sample *seen, long num_to_come, bool passes)
{
	if (passes && rule->op == RULE_EQ && seen->num_failed > 0)
		return false; /* as if none of those at hand had failed */
	for (int kind = 0; kind < COMPLETIONS; kind++) {
		struct sample sample = *seen;

		for (long i = 0; i < num_to_come; i++) {
			struct request request = other_request(kind, rule);

			add(&sample, &request);
		}
		if (rule_passes(rule, &sample) != passes &&
		    !is_spoilt(rule, &sample, passes ? PROSPECT_PASSES : PROSPECT_FAILS))
			return false;
	}
	return true;
}

/* Writes the row in two parts, with a look between them, which must not see it. */
static bool
write_row(int fd, const struct request *r, bool crlf, struct follower *f)
{
	static const char *const missing[] = { "", "NA", "null", "\"\"" };
	char text[128], value[64];
	double num_rows = follower_num_rows(f);
	size_t size, part;
	struct error e = ERROR_NONE;

	snprintf(value, sizeof value, chance(0.2) ? "\"%g\"" : "%g", r->value);
	snprintf(text, sizeof text, "%s,%s,%s%s", chance(0.1) ? "\"a\nb\"" : "a", r->is_missing ? missing[below(4)] : value,
	    r->is_failed ? (chance(0.5) ? "refused" : "\"no, \"\"never\"\"\"") : "", crlf ? "\r\n" : "\n");
	size = strlen(text);
	part = (size_t)below((long)size);
	if (write(fd, text, part) != (ssize_t)part || follower_look(f, &e) < 0 || follower_num_rows(f) != num_rows)
		return false;
	return write(fd, text + part, size - part) == (ssize_t)(size - part) && follower_look(f, &e) == 0 &&
	    follower_num_rows(f) == num_rows + 1 && follower_size(f) == lseek(fd, 0, SEEK_CUR);
}

static struct request
random_request(long kinds, double failing, double missing)
{
	struct request request = { chance(failing), chance(missing), random_value(kinds) };

	return request;
}

/* Whether the rule comes to that by the whole file in DIRECTORY. */
static bool
file_passes(const char *directory, struct rule *rule, long planned)
{
	struct rules one = { rule, 1, true };
	struct sla_result result;
	struct error e = ERROR_NONE;

	if (sla_evaluate(directory, &one, (double)planned, false, &result, &e) < 0)
		exit(1);
	sla_result_free(&result);
	return result.passed == VERDICT_PASSED;
}

/* Counts verdicts that were known before the last request in *NUM_EARLY; false after a difference. */
static bool
try_trial(const char *directory, long *num_early)
{
	long kinds = below(6) + 1, planned = below(REQUESTS_MAX) + 1;
	double failing = chance(0.5) ? 0 : 0.05, missing = chance(0.5) ? 0 : 0.2;
	struct rule list[RULES] = { random_rule(kinds), random_rule(kinds), random_rule(kinds) };
	struct rules rules = { list, RULES, true };
	enum prospect_outcome known[RULES] = { PROSPECT_OPEN, PROSPECT_OPEN, PROSPECT_OPEN };
	char *path = memory_format("%s/request_metrics.csv", directory);
	struct sample seen = { .num = 0 };
	struct follower *f = follower_new(path, &rules);
	struct error e = ERROR_NONE;
	bool good = true, crlf = chance(0.2);
	int fd;

	unlink(path);
	good = follower_look(f, &e) == 0 && follower_num_rows(f) == 0;
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
	good = good && follower_look(f, &e) == 0 && write(fd, "id,m,error\n", 11) == 11;
	for (long i = 0; good && i < planned; i++) {
		struct request request = random_request(kinds, failing, missing);

		good = write_row(fd, &request, crlf, f);
		add(&seen, &request);
		for (size_t k = 0; good && k < RULES && i + 1 < planned; k++) {
			enum prospect_outcome outcome = follower_rule_outcome(f, k, (double)planned);

			good = known[k] == PROSPECT_OPEN || known[k] == outcome || is_spoilt(&list[k], &seen, known[k]);
			good = good && (outcome == PROSPECT_OPEN || is_sure(&list[k], &seen, planned - i - 1, outcome == PROSPECT_PASSES));
			*num_early += known[k] == PROSPECT_OPEN && outcome != PROSPECT_OPEN;
			known[k] = outcome;
		}
	}
	for (size_t k = 0; good && k < RULES; k++)
		good = known[k] == PROSPECT_OPEN || is_spoilt(&list[k], &seen, known[k]) ||
		    file_passes(directory, &list[k], planned) == (known[k] == PROSPECT_PASSES);
	close(fd);
	follower_free(f);
	free(path);
	return good;
}

static int
try_trials(long count, const char *directory)
{
	long num_early = 0;

	for (long i = 0; i < count; i++) {
		if (!try_trial(directory, &num_early)) {
			printf("trial %ld\n", i);
			return 1;
		}
	}
	printf("%ld of %ld verdicts were known early\n", num_early, RULES * count);
	return num_early < RULES * count / 2;
}

/* The bytes that this process has read. */
static long
bytes_read(void)
{
	long bytes = -1;
	FILE *f = fopen("/proc/self/io", "r");

	if (!f || fscanf(f, "rchar: %ld", &bytes) != 1)
		exit(1);
	fclose(f);
	return bytes;
}

static int
try_reads(const char *directory)
{
	char *path = memory_format("%s/request_metrics.csv", directory);
	struct rule rule = random_rule(6);
	struct rules rules = { &rule, 1, true };
	struct follower *f = follower_new(path, &rules);
	struct error e = ERROR_NONE;
	FILE *file = fopen(path, "w");
	long before, extra;

	if (!file)
		return 1;
	fputs("id,m,error\n", file);
	before = bytes_read();
	extra = bytes_read() - before;
	for (int look = 0; look < 200; look++) {
		for (int i = 0; i < 500; i++)
			fprintf(file, "request,%d,\n", i % 3);
		fflush(file);
		if (follower_look(f, &e) < 0)
			exit(1);
	}
	printf("%ld %ld\n", ftell(file), bytes_read() - before - 2 * extra);
	fclose(file);
	follower_free(f);
	free(path);
	return 0;
}

int
main(int argc, char **argv)
{
	random_seed(&rng, 1, 1);
	if (argc == 4 && strcmp(argv[1], "trials") == 0)
		return try_trials(atol(argv[2]), argv[3]);
	if (argc == 3 && strcmp(argv[1], "reads") == 0)
		return try_reads(argv[2]);
	return 64;
}
