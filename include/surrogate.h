/* Surrogate pairs in JSON text: "\ud83d\ude00" is one character there, and an error to a YAML parser. */
#ifndef SURROGATE_H
#define SURROGATE_H

#include <stddef.h>

/*
 * Where the SIZE bytes are a JSON object, rewrites each escaped pair in it as YAML's \U0001F600, in
 * place; anything else stays as it is. Returns the new size, which is no larger.
 */
size_t surrogate_join_json(char *bytes, size_t size);

#endif
