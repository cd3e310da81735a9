#include "distribution.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "columns.h"
#include "memory.h"
#include "quantile.h"

enum { LARGE = 64 << 20, COLUMNS_OF_LARGE = 3 }; /* bytes of a file; columns at a time */

const double distribution_quantiles[DISTRIBUTION_SIZE] = { 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999 };

static void
fill(double *values, size_t num_rows, double num_failed, double worst, struct distribution *d)
{
	size_t count = 0;

	for (size_t i = 0; i < num_rows; i++)
		if (!isnan(values[i]))
			values[count++] = values[i];
	for (size_t i = 0; i < DISTRIBUTION_SIZE; i++)
		d->values[i] = quantile_linear(values, count, distribution_quantiles[i], count > 0 ? num_failed : 0, worst);
}

static int
read_some(const char *path, const char *const *metrics, const double *worst, size_t num, double num_failed,
    struct distribution *list, struct error *e)
{
	struct columns columns = { 0 };
	struct column **wanted = memory_alloc(num, sizeof(struct column *));
	int status;

	columns_want(&columns, "error", COLUMN_ERROR, false);
	for (size_t i = 0; i < num; i++)
		wanted[i] = columns_want(&columns, metrics[i], COLUMN_NUMBER, false);
	status = columns_read(&columns, path, e);
	for (size_t i = 0; i < num && status == 0; i++)
		fill(wanted[i]->values, columns.num_rows, num_failed, worst[i], &list[i]);
	free(wanted);
	columns_free(&columns);
	return status;
}

int
distribution_read(const char *path, const char *const *metrics, const double *worst, size_t num, double num_failed,
    struct distribution *list, struct error *e)
{
	struct stat st;
	size_t step = stat(path, &st) == 0 && st.st_size > LARGE ? COLUMNS_OF_LARGE : num;

	for (size_t i = 0; i < num; i += step)
		if (read_some(path, metrics + i, worst + i, num - i < step ? num - i : step, num_failed, list + i, e) < 0)
			return -1;
	return 0;
}
