/* GPUs as CUDA_VISIBLE_DEVICES shows them: a program that says 0 means the first device in that list, if it is set. */
#ifndef DEVICE_H
#define DEVICE_H

#include <stdbool.h>

/*
 * What the machine calls the GPU that a program here calls NAME (to be freed). NULL if nothing says so: the list is not
 * set or empty, NAME is no number, or there are fewer devices in the list.
 */
char *device_name(const char *name);

/* Whether CUDA_VISIBLE_DEVICES is set and has no device of that number. */
bool device_is_hidden(const char *number);

#endif
