#include "claim.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "census.h"
#include "device.h"
#include "listener.h"
#include "memory.h"
#include "number.h"
#include "process.h"
#include "resource.h"

/* Held while locks are picked from a pool, so that two who do that do not take each other's share. */
static const char picking[] = ".pool", port_prefix[] = "port-";

/* The lock of the GPU that fields call NAME; what a file's name cannot hold becomes _ (to be freed). */
static char *
gpu_lock_name(const char *name)
{
	char *device = device_name(name), *lock;

	lock = memory_format("gpu-%.*s", RESOURCE_NAME_MAX - 4, device ? device : name);
	for (unsigned char *p = (unsigned char *)lock; *p; p++)
		if (*p < ' ' || *p == '/' || *p == 0x7f)
			*p = '_';
	free(device);
	return lock;
}

static void
add_port(struct claim *c, long port)
{
	char *name = memory_format("%s%ld", port_prefix, port);

	claim_add(c, name);
	free(name);
}

void
claim_init(const struct demand *demand, const struct pool *pool, struct claim *c)
{
	*c = (struct claim){ .directory = -1, .demand = demand, .pool = pool };
	if (demand->host)
		claim_add(c, "host");
	if (demand->server_port)
		add_port(c, demand->server_port);
	for (size_t i = 0; !pool->gpus.text && i < demand->num_gpus; i++) {
		char *name = gpu_lock_name(demand->gpus[i]);

		claim_add(c, name);
		free(name);
	}
	for (size_t i = 0; !pool->ports.text && i < demand->num_port_fields; i++)
		for (long port = 0; port < demand->port_fields[i].count; port++)
			add_port(c, demand->port_fields[i].first + port);
}

/* Adds NAME with LOCK, a descriptor or -1. */
static void
append(struct claim *c, const char *name, int lock)
{
	c->list = memory_resize(c->list, c->num + 1, sizeof *c->list);
	c->list[c->num++] = (struct claim_lock){ memory_string(name), lock, -1 };
}

void
claim_add(struct claim *c, const char *name)
{
	for (size_t i = 0; i < c->num; i++)
		if (strcmp(c->list[i].name, name) == 0)
			return;
	append(c, name, -1);
	c->num_fixed = c->num;
}

static int
compare_locks(const void *a, const void *b)
{
	const struct claim_lock *p = a, *q = b;

	return strcmp(p->name, q->name);
}

/* Says what is waited for; takes the text WHAT over. */
static enum claim_state
wait_for(struct claim *c, char *what, const char *lock)
{
	pid_t holder = lock ? resource_holder(c->directory, lock) : 0;

	free(c->waiting_for);
	free(c->holder);
	c->waiting_for = what;
	c->holder = holder ? census_describe(holder) : NULL;
	return CLAIM_WAITING;
}

static enum claim_state
take_fixed(struct claim *c, struct error *e)
{
	if (c->num_held == 0 && c->num_fixed > 1)
		qsort(c->list, c->num_fixed, sizeof *c->list, compare_locks);
	for (; c->num_held < c->num_fixed; c->num_held++) {
		struct claim_lock *l = &c->list[c->num_held];

		l->lock = resource_try(c->directory, l->name, e);
		if (l->lock < 0 && error_is_set(e))
			return CLAIM_FAILED;
		if (l->lock < 0)
			return wait_for(c, memory_string(l->name), l->name);
	}
	return CLAIM_HELD;
}

/* Gives back the last COUNT locks. */
static void
drop_last(struct claim *c, size_t count)
{
	while (count-- > 0) {
		c->num--;
		close(c->list[c->num].lock);
		free(c->list[c->num].name);
	}
}

/* Gives back what was taken from the pool. */
static void
drop_picked(struct claim *c)
{
	drop_last(c, c->num - c->num_fixed);
	free(c->gpus);
	free(c->ports);
	c->gpus = NULL;
	c->ports = NULL;
}

/* Takes as many GPUs of the pool as are demanded. */
static enum claim_state
pick_gpus(struct claim *c, struct error *e)
{
	const struct pool_part *pool = &c->pool->gpus;
	size_t wanted = c->demand->num_gpus, got = 0, usable = 0;

	c->gpus = memory_alloc(wanted, sizeof *c->gpus);
	for (size_t i = 0; i < pool->num && got < wanted; i++) {
		char *number = memory_format("%ld", pool->numbers[i]), *name = gpu_lock_name(number);
		int lock = device_is_hidden(number) ? -1 : resource_try(c->directory, name, e);

		usable += !device_is_hidden(number);
		if (lock >= 0) {
			append(c, name, lock);
			c->gpus[got++] = pool->numbers[i];
		}
		free(name);
		free(number);
		if (error_is_set(e))
			return CLAIM_FAILED;
	}
	if (got == wanted)
		return CLAIM_HELD;
	if (usable >= wanted)
		return wait_for(c, memory_format("%zu of the GPUs %s", wanted, pool->text), NULL);
	error_add(e, EX_UNAVAILABLE, NULL, 0, "%zu GPUs are named, and CUDA_VISIBLE_DEVICES shows %zu of those in resources (%s)",
	    wanted, usable, pool->text);
	return CLAIM_FAILED;
}

/* Takes a run of COUNT free ports of the pool; its first to *FIRST. False: there is none now. */
static bool
pick_run(struct claim *c, const struct listeners *strangers, size_t count, long *first, struct error *e)
{
	const struct pool_part *pool = &c->pool->ports;
	size_t run = 0;

	for (size_t i = 0; i < pool->num; i++) {
		char *name = memory_format("%s%ld", port_prefix, pool->numbers[i]);
		int lock;

		if (run > 0 && pool->numbers[i] != pool->numbers[i - 1] + 1) {
			drop_last(c, run);
			run = 0;
		}
		lock = listeners_find(strangers, pool->numbers[i]) ? -1 : resource_try(c->directory, name, e);
		if (lock >= 0) {
			append(c, name, lock);
			run++;
		} else {
			drop_last(c, run);
			run = 0;
		}
		free(name);
		if (error_is_set(e))
			return false;
		if (run == count) {
			*first = pool->numbers[i] - (long)count + 1;
			return true;
		}
	}
	drop_last(c, run);
	return false;
}

static enum claim_state
pick_ports(struct claim *c, struct error *e)
{
	const struct demand *d = c->demand;
	struct listeners strangers;
	bool good = true;

	listeners_read(&strangers);
	c->ports = memory_alloc(d->num_port_fields, sizeof *c->ports);
	for (size_t i = d->num_port_fields; good && i-- > 0;) /* the long run comes last, and has to find a place first */
		good = pick_run(c, &strangers, (size_t)d->port_fields[i].count, &c->ports[i], e);
	listeners_free(&strangers);
	if (good)
		return CLAIM_HELD;
	if (error_is_set(e))
		return CLAIM_FAILED;
	return wait_for(c, memory_format("%ld of the ports %s", demand_num_ports(d), c->pool->ports.text), NULL);
}

/* Takes what comes from the pool: all or nothing. */
static enum claim_state
take_picked(struct claim *c, struct error *e)
{
	bool wants_gpus = c->pool->gpus.text && c->demand->num_gpus > 0;
	bool wants_ports = c->pool->ports.text && c->demand->num_port_fields > 0;
	enum claim_state state = CLAIM_HELD;
	int turn;

	if ((!wants_gpus && !wants_ports) || c->gpus || c->ports)
		return CLAIM_HELD;
	turn = resource_try(c->directory, picking, e);
	if (turn < 0)
		return error_is_set(e) ? CLAIM_FAILED : CLAIM_WAITING;
	if (wants_gpus)
		state = pick_gpus(c, e);
	if (wants_ports && state == CLAIM_HELD)
		state = pick_ports(c, e);
	if (state != CLAIM_HELD)
		drop_picked(c);
	close(turn);
	return state;
}

enum claim_state
claim_try(struct claim *c, struct error *e)
{
	enum claim_state state;

	if (c->num == 0 && demand_is_empty(c->demand))
		return CLAIM_HELD;
	if (c->directory < 0 && (c->directory = resource_open_directory(e)) < 0)
		return CLAIM_FAILED;
	state = take_fixed(c, e);
	if (state == CLAIM_HELD)
		state = take_picked(c, e);
	if (state == CLAIM_HELD) {
		free(c->waiting_for);
		free(c->holder);
		c->waiting_for = NULL;
		c->holder = NULL;
	}
	return state;
}

int
claim_mark(struct claim *c, const char *mark, struct error *e)
{
	char left[LOCK_MARK_MAX];

	for (size_t i = 0; i < c->num; i++) {
		struct claim_lock *l = &c->list[i];

		l->mark = resource_open_mark(c->directory, l->name, left, e);
		if (l->mark < 0)
			return -1;
		if (left[0])
			process_end(0, left, 0);
		if (lock_set_mark(l->mark, l->name, mark, e) < 0)
			return -1;
	}
	return 0;
}

void
claim_clear_marks(const struct claim *c)
{
	for (size_t i = 0; i < c->num; i++)
		if (c->list[i].mark >= 0)
			lock_clear_mark(c->list[i].mark);
}

int *
claim_descriptors(const struct claim *c, size_t *num)
{
	int *list = memory_alloc(2 * c->num, sizeof *list);

	*num = 0;
	for (size_t i = 0; i < c->num; i++) {
		if (c->list[i].lock >= 0)
			list[(*num)++] = c->list[i].lock;
		if (c->list[i].mark >= 0)
			list[(*num)++] = c->list[i].mark;
	}
	return list;
}

char *
claim_listeners(const struct claim *c)
{
	struct listeners listeners;
	char *text = NULL;
	long port;

	if (c->num == 0)
		return NULL;
	listeners_read(&listeners);
	for (size_t i = 0; i < c->num; i++) {
		const char *name = c->list[i].name;
		const struct listener *found;
		char *who, *longer;

		if (strncmp(name, port_prefix, strlen(port_prefix)) != 0 ||
		    !number_parse_integer(name + strlen(port_prefix), 1, 65535, &port) ||
		    (found = listeners_find(&listeners, port)) == NULL)
			continue;
		who = listener_describe(found);
		longer = memory_format("%s%sport %ld: %s", text ? text : "", text ? "; " : "", port, who);
		free(who);
		free(text);
		text = longer;
	}
	listeners_free(&listeners);
	return text;
}

char *
claim_devices(const struct claim *c)
{
	char *text = NULL;

	for (size_t i = 0; c->gpus && i < c->demand->num_gpus; i++) {
		char *number = memory_format("%ld", c->gpus[i]), *device = device_name(number), *longer;

		longer = memory_format("%s%s%s", text ? text : "", text ? "," : "", device ? device : number);
		free(number);
		free(device);
		free(text);
		text = longer;
	}
	return text;
}

void
claim_free(struct claim *c)
{
	for (size_t i = 0; i < c->num; i++) {
		if (c->list[i].lock >= 0)
			close(c->list[i].lock);
		if (c->list[i].mark >= 0)
			close(c->list[i].mark);
		free(c->list[i].name);
	}
	if (c->directory >= 0)
		close(c->directory);
	free(c->list);
	free(c->gpus);
	free(c->ports);
	free(c->waiting_for);
	free(c->holder);
	*c = (struct claim){ .directory = -1 };
}
