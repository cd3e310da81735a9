/*
 * YAML documents, read as PyYAML's safe_load reads them (YAML 1.1), except: a key given twice is a
 * fault, keys are text, timestamps stay text, integers fit in 64 bits, text has no NUL, and the
 * document stays within the limits below. JSON is YAML, with its escaped surrogate pairs.
 */
#ifndef DOCUMENT_H
#define DOCUMENT_H

#include "fault.h"
#include "node.h"

enum {
	DOCUMENT_SIZE_MAX = 1 << 20, /* bytes */
	DOCUMENT_LEVELS_MAX = 100,   /* lists and mappings in each other */
	DOCUMENT_NODES_MAX = 100000  /* aliases expanded, keys counted */
};

/*
 * The one document in PATH, which is faults->file to messages. NULL if it cannot be read to its end;
 * else a node, to be node_put(), whatever faults were added on the way. A file that cannot be opened
 * or read adds EX_NOINPUT or EX_IOERR to faults->error.
 */
struct node *document_read(const char *path, struct faults *faults);

/* The same for SIZE bytes with a NUL behind them; they may change. */
struct node *document_parse(char *bytes, size_t size, struct faults *faults);

#endif
