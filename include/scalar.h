/* Plain YAML scalars: what PyYAML's safe_load (YAML 1.1) takes them for. */
#ifndef SCALAR_H
#define SCALAR_H

#include <stdbool.h>
#include <stdint.h>

enum scalar_kind {
	SCALAR_TEXT,
	SCALAR_NULL,
	SCALAR_BOOL,
	SCALAR_INT,
	SCALAR_FLOAT,     /* infinities and NaN too */
	SCALAR_TOO_LARGE, /* an integer beyond 64 bits */
	SCALAR_NO_DIGITS  /* 0x_ and the like, which PyYAML cannot read either */
};

struct scalar {
	enum scalar_kind kind;
	bool truth;      /* of SCALAR_BOOL */
	int64_t integer; /* of SCALAR_INT */
	double number;   /* of SCALAR_FLOAT */
};

/* What the plain scalar TEXT is. Timestamps stay text. */
struct scalar scalar_resolve(const char *text);

/* The same where a tag says what TEXT is to be; SCALAR_TEXT if it is not that. */
struct scalar scalar_resolve_as(enum scalar_kind kind, const char *text);

#endif
