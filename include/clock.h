/* The clock that latencies are measured with: seconds since some moment, never set back. */
#ifndef CLOCK_H
#define CLOCK_H

double clock_now(void);

#endif
