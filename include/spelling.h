/* What a misspelt word was meant to be. */
#ifndef SPELLING_H
#define SPELLING_H

#include <stddef.h>

/*
 * The steps from A to B: a letter more, less, another one, or two neighbours swapped (the restricted
 * Damerau-Levenshtein distance). Of long words only the first 64 bytes are looked at.
 */
size_t spelling_distance(const char *a, const char *b);

/* The one of the COUNT words that is nearest to WORD, of equals the first; NULL if there are none. */
const char *spelling_nearest(const char *word, const char *const *words, size_t count);

#endif
