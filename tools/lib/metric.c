#include "metric.h"

#include <string.h>

#include "rule.h"

const char *const metric_common[] = { "request_scheduling_delay", "ttft", "tpot", "request_e2e_time", NULL };

const char *
metric_unit(const char *key)
{
	size_t n = strcspn(key, "@");

	for (const char *const *name = metric_common; *name; name++)
		if (strlen(*name) == n && strncmp(key, *name, n) == 0)
			return "s";
	return n == strlen(RULE_QUEUE_METRIC) && strncmp(key, RULE_QUEUE_METRIC, n) == 0 ? "requests" : "";
}
