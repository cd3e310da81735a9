/*
 * A harness: a first-come queue with one server in real time. Its arguments are the server's capacity, in requests per
 * second, the number of requests, and a seed. Arrivals (Poisson, at CS_QPS) and service times (exponential) are drawn, not
 * measured, so that a busy machine changes nothing but the time it takes; rows are appended every 10 ms, for the requests that ended.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "random.h"

#define INTERVAL 0.01 /* seconds */

static void
wait_until(const struct timespec *start, double seconds)
{
	struct timespec at = { start->tv_sec + (time_t)seconds, start->tv_nsec + (long)((seconds - (double)(time_t)seconds) * 1e9) };

	if (at.tv_nsec >= 1000000000) {
		at.tv_nsec -= 1000000000;
		at.tv_sec++;
	}
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) != 0)
		continue;
}

int
main(int argc, char **argv)
{
	const char *rate = getenv("CS_QPS"), *directory = getenv("CS_TRIAL_DIR");
	double arrival = 0, free_at = 0, due = INTERVAL;
	struct random arrivals, services;
	struct timespec start;
	FILE *f;

	if (argc != 4 || !rate || !directory || chdir(directory) != 0 || !(f = fopen("request_metrics.csv", "w")))
		return 64;
	fprintf(f, "request_id,arrival_time,request_scheduling_delay,request_e2e_time\n");
	random_seed(&arrivals, (uint64_t)atol(argv[3]), 1);
	random_seed(&services, (uint64_t)atol(argv[3]), 2);
	clock_gettime(CLOCK_MONOTONIC, &start);
	for (long i = 0; i < atol(argv[2]); i++) {
		double begin;

		arrival += random_exponential(&arrivals) / atof(rate);
		begin = arrival > free_at ? arrival : free_at;
		free_at = begin + random_exponential(&services) / atof(argv[1]);
		for (; free_at > due; due += INTERVAL) {
			wait_until(&start, due);
			fflush(f);
		}
		fprintf(f, "%ld,%.9f,%.9f,%.9f\n", i, arrival, begin - arrival, free_at - arrival);
	}
	wait_until(&start, free_at);
	return fclose(f) != 0;
}
