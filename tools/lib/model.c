#include "model.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "number.h"
#include "settings.h"

enum { TOKENS_MAX = 1000000000, PAGES_MAX = 1000000000 };

void
model_read_gpus(struct model_gpus *gpus, struct settings *settings, const char *name)
{
	char *text = memory_string(settings_text(settings, name)), *rest = text, *word;

	*gpus = (struct model_gpus){ 0 };
	while ((word = strsep(&rest, ",")) != NULL) {
		word += strspn(word, " \t");
		word[strcspn(word, " \t")] = '\0';
		if (!*word)
			continue;
		gpus->ids = memory_resize(gpus->ids, gpus->count + 1, sizeof *gpus->ids);
		if (!number_parse_integer(word, 0, INT_MAX, &gpus->ids[gpus->count]))
			gpus->ids[gpus->count] = -1;
		gpus->count++;
	}
	free(text);
	if (gpus->count == 0 || gpus->count > MODEL_GPUS_MAX)
		settings_fault(settings, name, "%zu GPUs; expected 1 to %d, commas between them", gpus->count, MODEL_GPUS_MAX);
}

/* Reads kv_fast_pairs: 0-1,2-3. */
static void
read_fast_pairs(struct model *m, struct settings *settings)
{
	char *text = memory_string(settings_text(settings, "kv_fast_pairs")), *rest = text, *word, *second;
	long pair[2];

	while ((word = strsep(&rest, ",")) != NULL) {
		word += strspn(word, " \t");
		if (!*word)
			continue;
		second = word;
		strsep(&second, "-");
		if (!second || !number_parse_integer(word, 0, INT_MAX, &pair[0]) ||
		    !number_parse_integer(second, 0, INT_MAX, &pair[1])) {
			settings_fault(settings, "kv_fast_pairs", "\"%s\"; expected pairs of GPUs such as 0-1,2-3",
			    settings_text(settings, "kv_fast_pairs"));
			break;
		}
		m->fast_pairs = memory_resize(m->fast_pairs, m->num_fast_pairs + 1, sizeof *m->fast_pairs);
		memcpy(m->fast_pairs[m->num_fast_pairs++], pair, sizeof pair);
	}
	free(text);
}

static void
read_policies(struct model *m, struct settings *settings)
{
	static const char *const prefill[] = { "round_robin", "least_outstanding_prefill_tokens", "least_outstanding_requests",
		"least_request_length_sum", "balanced_length_clustering", NULL };
	static const char *const decode[] = { "round_robin", "max_free_memory", "topology_guarded_memory",
		"balanced_length_clustering", NULL };
	static const enum model_policy decode_policies[] = { MODEL_ROUND_ROBIN, MODEL_MAX_FREE, MODEL_TOPOLOGY, MODEL_CLUSTERING };
	static const char *const order[] = { "arrival_order", "fewest_remaining_blocks", NULL };

	m->prefill_policy = (enum model_policy)settings_choice(settings, "prefill_scheduler_policy", prefill);
	m->decode_policy = decode_policies[settings_choice(settings, "decode_scheduler_policy", decode)];
	m->fewest_blocks_first = settings_choice(settings, "prefill_queue_policy", order) == 1;
	m->slack = settings_number(settings, "decode_grouping_slack_ratio", 0, 1e9);
	m->topology_alpha = settings_number(settings, "kv_topology_alpha", 0, 1e9);
	m->is_sticky = !m->is_hybrid && settings_bool(settings, "colocated_sticky_worker", false);
	m->overflows = m->is_hybrid && settings_bool(settings, "enable_hybrid_prefill_overflow", true);
	m->overload_tokens = settings_integer(settings, "prefill_overload_threshold", 1, LONG_MAX);
	read_fast_pairs(m, settings);
}

static void
read_limits(struct model *m, struct settings *settings)
{
	m->max_batch_size = settings_integer(settings, "max_batch_size", 1, TOKENS_MAX);
	m->max_tokens = settings_integer(settings, "max_tokens_per_iteration", 1, TOKENS_MAX);
	m->max_prefill_tokens = settings_integer(settings, "max_prefill_tokens_per_batch", 1, TOKENS_MAX);
	m->page_size = settings_integer(settings, "kv_page_size", 1, TOKENS_MAX);
	m->num_pages = settings_integer(settings, settings_is_null(settings, "kv_max_pages") ? "sim_kv_max_pages" : "kv_max_pages",
	    1, PAGES_MAX);
	m->block_length = settings_integer(settings, "block_length", 1, TOKENS_MAX);
	if (!settings_is_null(settings, "max_gen_len"))
		m->max_gen_len = settings_integer(settings, "max_gen_len", 1, TOKENS_MAX);
}

static void
read_costs(struct model *m, struct settings *settings)
{
	static const char *const strategies[] = { "random", "conf_threshold", "conf_quota", "conf_dynamic", NULL };
	bool has_quota = settings_choice(settings, "unmasking_strategy", strategies) == 2;

	m->tokens_per_pass = settings_integer(settings, has_quota ? "fixed_unmask_quota" : "sim_tokens_per_pass", 1, TOKENS_MAX);
	m->pass_time = settings_number(settings, "sim_pass_time_s", 0, 1e6);
	m->token_time = settings_number(settings, "sim_token_time_s", 0, 1e6);
	m->request_time = settings_number(settings, "sim_request_time_s", 0, 1e6);
	m->fast_transfer_time = settings_number(settings, "sim_fast_transfer_time_s", 0, 1e6);
	m->slow_transfer_time = settings_number(settings, "sim_slow_transfer_time_s", 0, 1e6);
}

void
model_init(struct model *m, struct settings *settings)
{
	static const char *const modes[] = { "colocated", "hybrid", NULL };

	memset(m, 0, sizeof *m);
	m->is_hybrid = settings_choice(settings, "mode", modes) == 1;
	if (m->is_hybrid)
		model_read_gpus(&m->prefill, settings, "prefill_gpus");
	model_read_gpus(&m->colocated, settings, m->is_hybrid ? "hybrid_colocated_gpus" : "gpus");
	read_policies(m, settings);
	read_limits(m, settings);
	read_costs(m, settings);
}

void
model_free(struct model *m)
{
	free(m->prefill.ids);
	free(m->colocated.ids);
	free(m->fast_pairs);
}

bool
model_is_fast(const struct model *m, long from, long to)
{
	for (size_t i = 0; i < m->num_fast_pairs; i++) {
		const long *pair = m->fast_pairs[i];

		if ((pair[0] == from && pair[1] == to) || (pair[0] == to && pair[1] == from))
			return true;
	}
	return false;
}
