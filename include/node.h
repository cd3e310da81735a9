/*
 * Nodes: what a YAML document holds, with the line of each value and key. They are shared where the
 * document has aliases, so nothing changes one once it is made.
 */
#ifndef NODE_H
#define NODE_H

#include <stdbool.h>
#include <stddef.h>

struct json_object;

enum node_kind {
	NODE_FAULTY, /* could not be read, which was reported: no check says more about it */
	NODE_NULL,
	NODE_BOOL,
	NODE_INT,    /* within 64 bits */
	NODE_FLOAT,  /* finite or not */
	NODE_TEXT,
	NODE_LIST,
	NODE_MAP
};

struct node_member {
	char *key;  /* NULL in a list */
	long line;  /* of the key */
	struct node *value;
};

struct node {
	enum node_kind kind;
	long line;                   /* where it begins */
	size_t references;
	size_t weight;               /* nodes in it, keys and itself counted, aliases expanded */
	int height;                  /* levels of lists and mappings, aliases expanded */
	char *text;                  /* a scalar as it is written */
	struct json_object *scalar;  /* its value */
	struct node_member *members; /* of a list or mapping, in order; keys differ */
	size_t count;
	struct json_object *index;   /* of a mapping: key to position in members */
};

/* A node with one reference, to be given up with node_put(), as those of node_ref() are; NULL is fine. */
struct node *node_new(enum node_kind kind, long line);
struct node *node_ref(struct node *node);
void node_put(struct node *node);

/* Appends VALUE, whose reference it takes, to a list. */
void node_append(struct node *list, struct node *value);

/* Sets KEY, whose text is copied, to VALUE, whose reference it takes; what KEY had is gone. */
void node_set(struct node *map, const char *key, long line, struct node *value);

/*
 * Sets in MAP what VALUE has: the members of a mapping, or of a list of mappings, of which the first one wins. False if
 * it is neither, and not NODE_FAULTY; mappings in the list count all the same.
 */
bool node_merge(struct node *map, const struct node *value);

/* The member KEY of a mapping; NULL if there is none, or MAP is NULL or no mapping. */
struct node_member *node_member(const struct node *map, const char *key);

/* Its value; NULL if it is null, too. */
struct node *node_get(const struct node *map, const char *key);

/* The value as JSON, to be json_object_put(). */
struct json_object *node_to_json(const struct node *node);

/*
 * Numbers: NODE_INT, NODE_FLOAT, and text that is a decimal number in YAML 1.2 without a leading
 * zero, say 1e3. Finite ones only. False if NODE is none, or, for an integer, not a whole number; a
 * float may be one, up to 2^53.
 */
bool node_number(const struct node *node, double *value);
bool node_integer(const struct node *node, long *value);

/*
 * Text: NODE_TEXT, and a number that is written as people count (0, 1.5; not 010 or 12:30, which
 * YAML takes for 8 and 750). To be freed; NULL if NODE is none.
 */
char *node_text(const struct node *node);

/* What was found, for messages: "the text 'many'", "the yes or no 'off'", "a list" (to be freed). */
char *node_describe(const struct node *node);

#endif
