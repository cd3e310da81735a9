#include "occupancy.h"

void
occupancy_end(struct occupancy *o, struct rows *rows, double now)
{
	if (now - o->since < 5e-10) /* it would read 0 */
		return;
	rows_text(rows, o->id);
	rows_text(rows, o->type);
	rows_text(rows, o->active ? "busy" : o->waiting ? "queued" : "idle");
	rows_seconds(rows, o->since);
	rows_seconds(rows, now);
	rows_seconds(rows, now - o->since);
	rows_count(rows, o->waiting);
	rows_count(rows, o->active);
	rows_end(rows);
	o->since = now;
}

void
occupancy_set(struct occupancy *o, struct rows *rows, double now, size_t waiting, size_t active)
{
	if (o->waiting == waiting && o->active == active)
		return;
	occupancy_end(o, rows, now);
	o->waiting = waiting;
	o->active = active;
}
