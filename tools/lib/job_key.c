#include "job_key.h"

#include <sha1.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

char *
job_key(struct json_object *benchmark_base, struct json_object *benchmark_overrides, struct json_object *harness,
    struct json_object *name, char text[JOB_KEY_DIGITS + 1])
{
	struct json_object *keyed = json_object_new_object();
	char digits[SHA1_DIGEST_STRING_LENGTH], *canonical;

	json_object_object_add(keyed, "benchmark_base", json_object_get(benchmark_base));
	json_object_object_add(keyed, "benchmark_overrides", json_object_get(benchmark_overrides));
	if (harness)
		json_object_object_add(keyed, "harness", json_object_get(harness));
	json_object_object_add(keyed, "name", json_object_get(name));
	canonical = json_canonical(keyed);
	SHA1Data((const uint8_t *)canonical, strlen(canonical), digits);
	memcpy(text, digits, JOB_KEY_DIGITS);
	text[JOB_KEY_DIGITS] = '\0';
	free(canonical);
	json_object_put(keyed);
	return text;
}
