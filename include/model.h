/*
 * The simulated serving system: its workers, limits, policies and costs, as the benchmark fields and the sim_
 * fields give them.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stddef.h>

struct settings;

enum { MODEL_GPUS_MAX = 1024 }; /* in one list */

/* Who gets a request: of the prefill and the decode policies, those with one name are one. */
enum model_policy {
	MODEL_ROUND_ROBIN,
	MODEL_LEAST_PREFILL_TOKENS,
	MODEL_LEAST_REQUESTS,
	MODEL_LEAST_LENGTH,
	MODEL_CLUSTERING,  /* of the workers whose tokens are within the slack of the least, the one with the nearest mean length */
	MODEL_MAX_FREE,    /* most free KV pages */
	MODEL_TOPOLOGY     /* the same, but rather one with a fast link from the prefill worker */
};

struct model_gpus {
	long *ids; /* -1: not a number */
	size_t count;
};

struct model {
	bool is_hybrid;
	struct model_gpus prefill;   /* hybrid only */
	struct model_gpus colocated;
	enum model_policy prefill_policy, decode_policy;
	bool fewest_blocks_first;    /* in a worker's queue; otherwise by arrival */
	double slack;                /* of MODEL_CLUSTERING, a ratio */
	double topology_alpha;       /* share of the most free pages that a fast link may cost */
	long (*fast_pairs)[2];
	size_t num_fast_pairs;
	bool is_sticky;              /* colocated: all blocks of a request on one worker */
	bool overflows;              /* hybrid: to the colocated workers, once all prefill workers have so many tokens: */
	long overload_tokens;
	long max_batch_size;         /* requests in one pass */
	long max_tokens;             /* in one pass of a colocated worker */
	long max_prefill_tokens;     /* in one pass of a prefill worker */
	long page_size;              /* tokens */
	long num_pages;              /* on one worker */
	long block_length;           /* tokens */
	long max_gen_len;            /* tokens that every request holds room for; 0: as many as it generates, in whole blocks */
	long tokens_per_pass;        /* that one pass finishes in a block */
	double pass_time;            /* seconds for a pass, and: */
	double token_time;           /* for each token in it */
	double request_time;         /* for each request in it */
	double fast_transfer_time;   /* seconds a token from worker to worker over a fast link */
	double slow_transfer_time;
};

/* Faults are added to SETTINGS' errors. model_free() it in any case. */
void model_init(struct model *model, struct settings *settings);
void model_free(struct model *model);

/* The GPUs in the text field NAME, commas between them. A fault if there is none. */
void model_read_gpus(struct model_gpus *gpus, struct settings *settings, const char *name);

/* Whether there is a fast link between two GPUs. */
bool model_is_fast(const struct model *model, long from, long to);

#endif
