#include "lateness.h"

#include <math.h>

/* Below 64 ns a cell is a nanosecond; then 64 cells for 64 to 127 ns, 64 for 128 to 255 ns ... */
static unsigned
cell_of(uint64_t nanoseconds)
{
	unsigned power, shift;

	if (nanoseconds < 64)
		return (unsigned)nanoseconds;
	power = 63 - (unsigned)__builtin_clzll(nanoseconds);
	shift = power - 6;
	return 64 * (shift + 1) + (unsigned)(nanoseconds >> shift & 63);
}

static double
end_of(unsigned cell)
{
	unsigned shift = cell < 64 ? 0 : cell / 64 - 1;
	uint64_t low = cell < 64 ? cell : UINT64_C(64) + cell % 64;

	return ldexp((double)(low + 1), (int)shift) / 1e9;
}

void
lateness_add(struct lateness *l, double seconds)
{
	double nanoseconds = seconds > 0 ? seconds * 1e9 : 0;

	l->cells[cell_of(nanoseconds < 0x1p62 ? (uint64_t)nanoseconds : UINT64_C(1) << 62)]++;
	l->count++;
	if (seconds > l->max)
		l->max = seconds;
}

double
lateness_quantile(const struct lateness *l, double quantile)
{
	double rank = quantile * (double)l->count;
	uint64_t seen = 0;

	for (unsigned cell = 0; cell < LATENESS_CELLS && l->count > 0; cell++) {
		seen += l->cells[cell];
		if (seen > 0 && (double)seen >= rank)
			return fmin(end_of(cell), l->max);
	}
	return l->max;
}
