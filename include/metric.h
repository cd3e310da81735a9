/* What is known of a metric by its name. */
#ifndef METRIC_H
#define METRIC_H

/* The unit of a metric, or of a value of it (METRIC@qQUANTILE): "s", "requests", or "" where it is not known. */
const char *metric_unit(const char *key);

/* The request metrics that every harness gives where they apply, in seconds; ends in NULL. */
extern const char *const metric_common[];

#endif
