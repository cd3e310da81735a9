#include "worker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

void
worker_init(struct worker *w, const struct model *model, bool is_prefill, size_t index, long gpu)
{
	memset(w, 0, sizeof *w);
	snprintf(w->id, sizeof w->id, "%s-%zu", is_prefill ? "pw" : "cw", index);
	w->type = is_prefill ? "prefill" : "colocated";
	w->is_prefill = is_prefill;
	w->gpu = gpu;
	w->pass_end = INFINITY;
	w->free_pages = model->num_pages;
}

void
worker_free(struct worker *w)
{
	heap_free(&w->waiting);
	heap_free(&w->ready);
	free(w->decoding);
	free(w->prefilling);
}

void
worker_enqueue(struct worker *w, const struct model *model, struct request *r)
{
	/* ids are in order of arrival, so they stand for it */
	heap_push(&w->waiting, model->fewest_blocks_first ? (double)r->blocks : 0, r->id, r);
}

void
worker_enqueue_ready(struct worker *w, struct request *r)
{
	heap_push(&w->ready, 0, w->num_ready++, r);
}

/* Adds R to one of the lists of the pass; LIST grows by powers of two. */
static void
append(struct request ***list, size_t *count, struct request *r)
{
	if ((*count & (*count - 1)) == 0)
		*list = memory_resize(*list, *count ? 2 * *count : 1, sizeof **list);
	(*list)[(*count)++] = r;
}

void
worker_keep(struct worker *w, struct request *r)
{
	append(&w->decoding, &w->num_decoding, r);
}

size_t
worker_num_waiting(const struct worker *w)
{
	return w->waiting.count + w->ready.count;
}

size_t
worker_num_active(const struct worker *w)
{
	return w->num_decoding + w->num_prefilling;
}

static void
admit_ready(struct worker *w, const struct model *model, double now)
{
	struct request *r;

	while (w->ready.count && w->num_decoding < (size_t)model->max_batch_size && (w->num_decoding == 0 ||
	    ((long)w->num_decoding + 1) * model->block_length <= model->max_tokens)) {
		r = heap_pop(&w->ready);
		r->decode_wait += now - r->waiting_since;
		append(&w->decoding, &w->num_decoding, r);
	}
}

static void
admit_waiting(struct worker *w, double now)
{
	struct request *r = heap_pop(&w->waiting);

	r->prefill_wait += now - r->waiting_since;
	if (!r->pages_of) {
		w->free_pages -= r->pages;
		r->pages_of = w;
	}
	append(&w->prefilling, &w->num_prefilling, r);
}

/*
 * Takes requests from the head of the queue into the pass; the first that does not fit holds up those behind it. What the
 * decoding requests leave of the budget is for prefills. A head that is too long saves up the budget of the passes that it
 * has to wait for, and one that is longer than any budget runs when nothing else does. Returns the tokens taken.
 */
static long
collect_prefills(struct worker *w, const struct model *model, double now)
{
	long used = (long)w->num_decoding * model->block_length;
	long budget = w->is_prefill ? model->max_prefill_tokens : used < model->max_tokens ? model->max_tokens - used : 0;
	long taken = 0, saved = w->deficit;
	bool is_short = false;
	struct request *r;

	while ((r = heap_first(&w->waiting)) != NULL && worker_num_active(w) < (size_t)model->max_batch_size) {
		if (!r->pages_of && r->pages > w->free_pages)
			break;
		if (taken + r->length > budget + saved && worker_num_active(w) > 0) {
			is_short = true;
			break;
		}
		taken += r->length;
		admit_waiting(w, now);
	}
	if (w->waiting.count == 0 || w->is_prefill)
		w->deficit = 0;
	else if (is_short)
		w->deficit = budget + saved - taken;
	else if (taken > budget)
		w->deficit = saved > taken - budget ? saved - (taken - budget) : 0;
	return taken;
}

void
worker_start_pass(struct worker *w, const struct model *model, double now)
{
	long tokens;

	if (w->pass_end != INFINITY || (w->num_decoding == 0 && worker_num_waiting(w) == 0))
		return;
	admit_ready(w, model, now);
	tokens = collect_prefills(w, model, now) + (long)w->num_decoding * model->block_length;
	if (worker_num_active(w) == 0)
		return;
	w->pass_end = now + model->pass_time + model->token_time * (double)tokens +
	    model->request_time * (double)worker_num_active(w);
}
