/* TERM, INT and HUP, taken from a descriptor instead of by handlers. */
#ifndef INTERRUPT_H
#define INTERRUPT_H

/*
 * Blocks those of TERM, INT and HUP that this process was not started to ignore (nohup, the background
 * of a shell script), and SIGCHLD. Returns the descriptor from which the former are read; close() it.
 */
int interrupt_open(void);

/* Unblocks them: they do again what they did before, also one that has come and was not read. */
void interrupt_let_through(void);

/* The number of a signal that has come, or 0; does not wait. */
int interrupt_read(int interrupts);

/* Sleeps until a signal comes, MILLISECONDS at the most; the same result. */
int interrupt_wait(int interrupts, int milliseconds);

#endif
