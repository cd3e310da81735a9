/* How many tokens requests have: fixed, uniform, Zipf, or those of a trace. */
#ifndef LENGTH_H
#define LENGTH_H

#include <stddef.h>

#include "error.h"
#include "random.h"
#include "trace.h"

struct settings;

enum { LENGTH_TOKENS_MAX = 10000000 }; /* in one request, of each kind */

enum length_kind { LENGTH_FIXED, LENGTH_UNIFORM, LENGTH_ZIPF, LENGTH_TRACE };

struct length_tokens {
	long prefill, decode; /* at least 1 each */
};

struct length {
	enum length_kind kind;
	struct random random;
	struct length_tokens fixed;
	long min_tokens, max_tokens;    /* of both kinds together */
	double prefill_to_decode_ratio;
	double *cumulated;              /* Zipf: the weights of min_tokens, min_tokens + 1 ... up to here, added up */
	long *permuted;                 /* scrambled Zipf: which length has which weight */
	struct trace trace;             /* two columns: prefill and decode tokens */
	size_t next;                    /* row of the trace */
	long gen_length;                /* decode tokens of every request; 0: as generated */
};

/* Reads length_type and the fields it names. Faults go to SETTINGS' errors and to E. */
void length_init(struct length *length, struct settings *settings, struct error *e);

/* The lengths of recorded REQUESTS (trace_request_columns), by their scale factors and max_tokens. */
void length_init_replay(struct length *length, struct settings *settings, const struct trace *requests);

/* The next request's; a trace starts again at its end. */
struct length_tokens length_next(struct length *length);
void length_free(struct length *length);

#endif
