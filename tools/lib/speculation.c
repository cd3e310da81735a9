#include "speculation.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* A rate that the search needs if the verdicts on the way from the root are as the nodes say. */
struct node {
	const struct node *parent;  /* NULL: the root */
	enum verdict_passed before; /* the verdict of the parent's rate that leads here */
	double qps;
	double likelihood;          /* of being needed */
	double passes;              /* likelihood of passing, if it is */
	bool ends;                  /* the search is expected to end with it; only of the root */
	bool is_chosen;
};

struct tree {
	const struct search *search;
	struct verdict *verdicts; /* the known ones, then those that are assumed on the way to the node at hand */
	size_t num_known;
	struct node *nodes;       /* with room for all, so that they stay where they are */
	size_t num;
};

/* What verdicts say of the service: rates in requests per second, 0 and INFINITY where nothing is known. */
struct knowledge {
	double passing;  /* it passes up to here */
	double failing;  /* it fails from here on */
	double stopping; /* a search ends from here on: timed out, or more than the harness can offer */
};

static struct knowledge
knowledge_from(const struct verdict *verdicts, size_t count, const struct search_trace *trace)
{
	struct knowledge k = { 0, INFINITY, INFINITY };

	for (size_t i = 0; i < count; i++) {
		const struct verdict *v = &verdicts[i];

		if (v->timed_out || v->limited)
			k.stopping = fmin(k.stopping, v->qps);
		if (v->timed_out || v->limited || v->passed == VERDICT_FAILED)
			k.failing = fmin(k.failing, v->qps);
		else if (v->passed == VERDICT_PASSED)
			k.passing = fmax(k.passing, v->qps);
	}
	if (k.passing >= k.failing) { /* they contradict each other: those of the search count */
		k.passing = trace->best_qps;
		k.failing = trace->lowest_failing_qps > 0 ? trace->lowest_failing_qps : INFINITY;
	}
	return k;
}

/* How likely QPS passes. */
static double
likelihood_of_pass(const struct knowledge *k, double qps)
{
	if (qps <= k->passing)
		return 1;
	if (qps >= k->failing)
		return 0;
	if (isinf(k->failing))
		return k->passing > 0 ? pow(SPECULATION_DOUBLES, log2(qps / k->passing)) : SPECULATION_STARTS;
	return k->passing > 0 ? log(k->failing / qps) / log(k->failing / k->passing) : 1 - qps / k->failing;
}

/* Adds the node behind PARENT's verdict BEFORE, unless the search is over there. */
static void
add_node(struct tree *tree, const struct node *parent, enum verdict_passed before, double likelihood)
{
	struct node *node = &tree->nodes[tree->num];
	size_t count = tree->num_known;
	struct search_trace trace;
	struct knowledge k;

	*node = (struct node){ .parent = parent, .before = before, .likelihood = likelihood };
	for (const struct node *n = node; n->parent; n = n->parent)
		tree->verdicts[count++] = (struct verdict){ .qps = n->parent->qps, .passed = n->before };
	search_replay(tree->search, tree->verdicts, count, &trace);
	if (trace.end == SEARCH_GOES_ON) {
		k = knowledge_from(tree->verdicts, count, &trace);
		node->qps = trace.next_qps;
		node->passes = likelihood_of_pass(&k, node->qps);
		node->ends = node->qps >= k.stopping && node->qps > k.passing;
		tree->num += !parent || !node->ends;
	}
	search_trace_free(&trace);
}

/* Adds what NODE may lead to. In a list the verdict does not matter. */
static void
add_children(struct tree *tree, const struct node *node)
{
	double passes = tree->search->num_qps ? 1 : node->passes;

	if (node->ends)
		return;
	if (passes > 0)
		add_node(tree, node, VERDICT_PASSED, node->likelihood * passes);
	if (passes < 1)
		add_node(tree, node, VERDICT_FAILED, node->likelihood * (1 - passes));
}

/* The likeliest node that is not chosen yet; of equals the first. NULL: there is none. */
static struct node *
likeliest(struct tree *tree)
{
	struct node *best = NULL;

	for (size_t i = 0; i < tree->num; i++) {
		struct node *n = &tree->nodes[i];

		if (!n->is_chosen && (!best || n->likelihood > best->likelihood))
			best = n;
	}
	return best;
}

size_t
speculation_choose(const struct search *s, const struct verdict *verdicts, size_t count, size_t max, double *rates)
{
	struct tree tree = { .search = s, .num_known = count };
	struct node *node;
	size_t num = 0;

	tree.verdicts = memory_alloc(count + max, sizeof *tree.verdicts);
	tree.nodes = memory_alloc(2 * max + 1, sizeof *tree.nodes);
	if (count > 0)
		memcpy(tree.verdicts, verdicts, count * sizeof *verdicts);
	add_node(&tree, NULL, VERDICT_NONE, 1);
	while (num < max && (node = likeliest(&tree)) != NULL) {
		node->is_chosen = true;
		rates[num++] = node->qps;
		if (num < max)
			add_children(&tree, node);
	}
	free(tree.nodes);
	free(tree.verdicts);
	return num;
}
