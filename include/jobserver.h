/*
 * The job slots of the make that runs us: a pipe that holds a byte for each free slot (GNU make's manual, "POSIX Jobserver
 * Interaction"). A recipe has a slot while it runs. One that waits for something else gives it back meanwhile, and
 * takes one again before it goes on.
 */
#ifndef JOBSERVER_H
#define JOBSERVER_H

#include <stdbool.h>
#include <sys/types.h>

struct jobserver {
	int slots;       /* where free slots are read; -1: make lets us have no part in it */
	int give;        /* where they are written */
	bool has_given;  /* ours is given back */
	pid_t keeper;    /* takes a slot in our place if we are killed in between */
	int life;        /* tells the keeper that we live */
};

/* What MAKEFLAGS says. To be called before descriptors are opened, which might be taken for make's. */
void jobserver_find(struct jobserver *jobserver);

/* Gives our slot back, if it is not yet; nothing without a jobserver, or if no keeper can be started. */
void jobserver_give(struct jobserver *jobserver);

/* Takes a slot if we have none; false if none is free now. */
bool jobserver_take(struct jobserver *jobserver);

/* The end, with or without a slot: one that is missing is taken as soon as there is one, when we are long gone. */
void jobserver_close(struct jobserver *jobserver);

/* Whether make runs with the option of that letter: n (print only), q (ask only). */
bool jobserver_make_has(char option);

#endif
