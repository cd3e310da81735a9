/* The check of the rate that a harness offered against the rate that it was asked for. */
#ifndef ARRIVAL_H
#define ARRIVAL_H

#include <stdbool.h>

struct json_object;

/* The arrivals of a trial's rows; zeroed at first. */
struct arrivals {
	double num;         /* that are known */
	double first, last; /* seconds, the earliest and the latest of them */
};

/* SECONDS that is not finite is not known. */
void arrivals_add(struct arrivals *arrivals, double seconds);

/* Requests per second of NUM_ROWS rows, between the first and the last arrival; 0 where there are not two of different times. */
double arrivals_rate(const struct arrivals *arrivals, double num_rows);

/*
 * Whether that is short of QPS by more than the larger of 1 % and five standard errors of the arrival
 * process. Of n intervals with the coefficient of variation c the mean has the relative standard error
 * c / sqrt(n); c is 1 for Poisson arrivals (also where CONFIG, the merged benchmark config, does not say),
 * CONFIG's cv (0.5) for gamma, 0 for static. Traces have no rate: false.
 */
bool arrivals_fall_short(const struct arrivals *arrivals, double num_rows, double qps, struct json_object *config);

#endif
