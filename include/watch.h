/* A block of text on a terminal that is drawn again in place, with lines that stay above it. */
#ifndef WATCH_H
#define WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct watch {
	FILE *out;
	bool terminal;   /* OUT is one: draw in place; else a block is printed when it differs from the last one */
	size_t lines;    /* of the block that stands there now */
	char *last;      /* that block; owned */
	char *partial;   /* of the messages, what has no newline yet; owned */
	size_t num_partial;
};

void watch_init(struct watch *w, FILE *out);
void watch_free(struct watch *w);

/* Prints BLOCK (whole lines) in the place of the one before. */
void watch_draw(struct watch *w, const char *block);

/*
 * Waits SECONDS for messages on the descriptor FD (-1: none come) and prints their whole lines above the
 * block, which is to be drawn again then. False when FD has come to its end: the block is gone.
 */
bool watch_wait(struct watch *w, int fd, double seconds);

#endif
