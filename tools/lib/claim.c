#include "claim.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "census.h"
#include "device.h"
#include "listener.h"
#include "memory.h"
#include "resource.h"

static void
add_port(struct claim *c, long port)
{
	char *name = resource_of_port(port);

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
		char *name = resource_of_gpu(demand->gpus[i]);

		claim_add(c, name);
		free(name);
	}
	for (size_t i = 0; !pool->ports.text && i < demand->num_port_fields; i++)
		for (long port = 0; port < demand->port_fields[i].count; port++)
			add_port(c, demand->port_fields[i].first + port);
}

void
claim_add(struct claim *c, const char *name)
{
	if (!lockset_has(&c->locks, name))
		lockset_add(&c->locks, name, -1);
	c->num_fixed = c->locks.num;
}

static int
compare_locks(const void *a, const void *b)
{
	const struct lockset_lock *p = a, *q = b;

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
		qsort(c->locks.list, c->num_fixed, sizeof *c->locks.list, compare_locks);
	for (; c->num_held < c->num_fixed; c->num_held++) {
		struct lockset_lock *l = &c->locks.list[c->num_held];

		l->lock = resource_try(c->directory, l->name, e);
		if (l->lock < 0 && error_is_set(e))
			return CLAIM_FAILED;
		if (l->lock < 0)
			return wait_for(c, memory_string(l->name), l->name);
	}
	return CLAIM_HELD;
}

/* Takes what comes from the pool, once. */
static enum claim_state
take_picked(struct claim *c, struct error *e)
{
	char *lack;
	int status;

	if (c->pick.gpus || c->pick.ports)
		return CLAIM_HELD;
	status = pick_try(&c->pick, c->pool, c->demand, c->directory, &c->locks, &lack, e);
	if (status < 0)
		return CLAIM_FAILED;
	if (lack)
		return wait_for(c, lack, NULL);
	return status > 0 ? CLAIM_HELD : CLAIM_WAITING;
}

enum claim_state
claim_try(struct claim *c, struct error *e)
{
	enum claim_state state;

	if (c->locks.num == 0 && demand_is_empty(c->demand))
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
	return lockset_mark(&c->locks, c->directory, mark, e);
}

void
claim_clear_marks(const struct claim *c)
{
	lockset_clear_marks(&c->locks);
}

int *
claim_descriptors(const struct claim *c, size_t *num)
{
	return lockset_descriptors(&c->locks, num);
}

char *
claim_listeners(const struct claim *c)
{
	struct listeners listeners;
	char *text = NULL;

	if (c->locks.num == 0)
		return NULL;
	listeners_read(&listeners);
	for (size_t i = 0; i < c->locks.num; i++) {
		long port = resource_port(c->locks.list[i].name);
		const struct listener *found = port ? listeners_find(&listeners, port) : NULL;
		char *who, *longer;

		if (!found)
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

	for (size_t i = 0; c->pick.gpus && i < c->demand->num_gpus; i++) {
		char *number = memory_format("%ld", c->pick.gpus[i]), *device = device_name(number), *longer;

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
	if (c->directory >= 0)
		close(c->directory);
	lockset_free(&c->locks);
	pick_free(&c->pick);
	free(c->waiting_for);
	free(c->holder);
	*c = (struct claim){ .directory = -1 };
}
