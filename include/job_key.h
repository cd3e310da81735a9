/* Job keys: what tells jobs apart that have the same name, and stays the same when nothing of the benchmark changes. */
#ifndef JOB_KEY_H
#define JOB_KEY_H

struct json_object;

enum { JOB_KEY_DIGITS = 10 };

/*
 * The first hexadecimal digits of the SHA-1 of the canonical JSON of {"benchmark_base",
 * "benchmark_overrides", "harness", "name"}, all as the config writes them; a NULL HARNESS is left out.
 * References are not taken. Returns TEXT.
 */
char *job_key(struct json_object *benchmark_base, struct json_object *benchmark_overrides, struct json_object *harness,
    struct json_object *name, char text[JOB_KEY_DIGITS + 1]);

#endif
