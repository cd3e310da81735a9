/* Allocation that does not fail: out of memory ends the program, the one place where the library exits. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>

void *memory_alloc(size_t count, size_t size);              /* zeroed; free() */
void *memory_resize(void *p, size_t count, size_t size);    /* as reallocarray */
char *memory_string(const char *s);                         /* as strdup */
char *memory_format(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* as asprintf */
_Noreturn void memory_exhausted(void);                      /* says so on stderr, exits EX_OSERR */

#endif
