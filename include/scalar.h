/* Plain YAML scalars: what PyYAML's safe_load (YAML 1.1) takes them for. */
#ifndef SCALAR_H
#define SCALAR_H

#include <stdbool.h>
#include <stdint.h>

#define SCALAR_TAG_PREFIX "tag:yaml.org,2002:"

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

/*
 * The same where the document gives it the TAG, in full (tag:yaml.org,2002:int): null, bool, int, float, str and
 * timestamp, which is text, are known. False if TAG is another one, or TEXT cannot be that.
 */
bool scalar_resolve_tagged(const char *tag, const char *text, struct scalar *scalar);

#endif
