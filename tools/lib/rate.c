#include "rate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "memory.h"
#include "number.h"

/* Exact decimal conversion does the rounding: multiplying by 10^4 first would round twice. */
double
rate_round(double qps)
{
	char text[400];

	snprintf(text, sizeof text, "%.4f", qps);
	return strtod(text, NULL);
}

double
rate_floor(double qps)
{
	double rounded = rate_round(qps);

	return rounded > qps ? rate_round(rounded - 1e-4) : rounded;
}

bool
rate_is_valid(double qps)
{
	return isfinite(qps) && qps <= RATE_MAX && rate_round(qps) > 0;
}

char *
rate_text(double qps, char text[RATE_TEXT_MAX])
{
	size_t n;

	snprintf(text, RATE_TEXT_MAX, "%.4f", qps);
	n = strlen(text);
	while (n > 0 && text[n - 1] == '0')
		text[--n] = '\0';
	if (n > 0 && text[n - 1] == '.')
		text[n - 1] = '\0';
	return text;
}

int
rate_parse(const char *what, const char *text, double *qps, struct error *e)
{
	double v;

	if (!number_parse(text, &v) || !rate_is_valid(v))
		return error_add(e, EX_USAGE, NULL, 0,
		    "%s: '%s' is no rate; expected requests per second, from 0.0001 to 1e9", what, text);
	*qps = rate_round(v);
	return 0;
}

int
rate_parse_list(const char *what, const char *text, double **rates, size_t *count, struct error *e)
{
	char *copy = memory_string(text), *rest = copy, *word;
	double *list = NULL;
	size_t n = 0;

	while ((word = strsep(&rest, ",")) != NULL) {
		list = memory_resize(list, n + 1, sizeof *list);
		if (rate_parse(what, word, &list[n++], e) < 0) {
			free(list);
			free(copy);
			return -1;
		}
	}
	free(copy);
	*rates = list;
	*count = n;
	return 0;
}
