#include "spelling.h"

#include <string.h>

enum { LENGTH_MAX = 64 };

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t
spelling_distance(const char *a, const char *b)
{
	size_t rows[3][LENGTH_MAX + 1]; /* of the matrix, the last three; row i is rows[i % 3] */
	size_t length_a = strnlen(a, LENGTH_MAX), length_b = strnlen(b, LENGTH_MAX);

	for (size_t j = 0; j <= length_b; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= length_a; i++) {
		size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= length_b; j++) {
			row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], two_above[j - 2] + 1);
		}
	}
	return rows[length_a % 3][length_b];
}

const char *
spelling_nearest(const char *word, const char *const *words, size_t count)
{
	const char *nearest = NULL;
	size_t best = 0;

	for (size_t i = 0; i < count; i++) {
		size_t distance = spelling_distance(word, words[i]);

		if (!nearest || distance < best) {
			nearest = words[i];
			best = distance;
		}
	}
	return nearest;
}
