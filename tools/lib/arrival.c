#include "arrival.h"

#include <math.h>
#include <string.h>

#include "json.h"

#define TOLERANCE 0.01      /* of the rate, at the least */
#define STANDARD_ERRORS 5.0 /* of the mean interval */
#define GAMMA_CV 0.5        /* the default of the field cv */

void
arrivals_add(struct arrivals *a, double seconds)
{
	if (!isfinite(seconds))
		return;
	if (a->num == 0 || seconds < a->first)
		a->first = seconds;
	if (a->num == 0 || seconds > a->last)
		a->last = seconds;
	a->num++;
}

/* A row whose due time is not known was due all the same, within the span of those that are. */
double
arrivals_rate(const struct arrivals *a, double num_rows)
{
	double span = a->last - a->first;

	return a->num >= 2 && span > 0 ? (num_rows - 1) / span : 0;
}

bool
arrivals_fall_short(const struct arrivals *a, double num_rows, double qps, struct json_object *config)
{
	const char *type = json_get_text(config, "interval_type", "poisson");
	double rate = arrivals_rate(a, num_rows), cv = 1, tolerance;

	if (rate == 0 || strcmp(type, "trace") == 0 ||
	    strcmp(json_get_text(config, "request_generator_type", "synthetic"), "trace") == 0)
		return false;
	if (strcmp(type, "gamma") == 0)
		cv = json_get_number(config, "cv", GAMMA_CV);
	else if (strcmp(type, "static") == 0)
		cv = 0;
	tolerance = fmax(TOLERANCE, STANDARD_ERRORS * cv / sqrt(num_rows - 1));
	return rate < qps * (1 - tolerance);
}
