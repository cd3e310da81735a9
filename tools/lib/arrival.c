#include "arrival.h"

#include <math.h>
#include <string.h>

#include "json.h"
#include "sla.h"

#define TOLERANCE 0.01      /* of the rate, at the least */
#define STANDARD_ERRORS 5.0 /* of the mean interval */
#define GAMMA_CV 0.5        /* the default of the field cv */

/* A row whose due time is not known was due all the same, within the span of those that are. */
double
arrival_rate(const struct sla_result *data)
{
	double span = data->last_arrival - data->first_arrival;

	return data->num_arrivals >= 2 && span > 0 ? (data->num_rows - 1) / span : 0;
}

bool
arrival_falls_short(const struct sla_result *data, double qps, struct json_object *config)
{
	const char *type = json_get_text(config, "interval_type", "poisson");
	double rate = arrival_rate(data), cv = 1, tolerance;

	if (rate == 0 || strcmp(type, "trace") == 0 ||
	    strcmp(json_get_text(config, "request_generator_type", "synthetic"), "trace") == 0)
		return false;
	if (strcmp(type, "gamma") == 0)
		cv = json_get_number(config, "cv", GAMMA_CV);
	else if (strcmp(type, "static") == 0)
		cv = 0;
	tolerance = fmax(TOLERANCE, STANDARD_ERRORS * cv / sqrt(data->num_rows - 1));
	return rate < qps * (1 - tolerance);
}
