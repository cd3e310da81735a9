#include "simulation.h"

#include "occupancy.h"

int
simulation_open(struct simulation *s, const char *header, const char *directory, struct error *e)
{
	s->requests = rows_open(directory, "request_metrics.csv", header, e);
	if (s->requests)
		s->timeline = rows_open(directory, "worker_timeline.csv", OCCUPANCY_HEADER, e);
	return s->timeline ? 0 : -1;
}

int
simulation_close(struct simulation *s, struct error *e)
{
	int status = rows_close(s->requests, e);

	if (rows_close(s->timeline, e) < 0)
		status = -1;
	s->requests = s->timeline = NULL;
	return status;
}
