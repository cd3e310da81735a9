#include "pick.h"

#include <stdlib.h>
#include <sysexits.h>
#include <unistd.h>

#include "device.h"
#include "listener.h"
#include "memory.h"
#include "resource.h"

static const char turn_name[] = ".pool"; /* held while somebody picks */

struct picker {
	struct pick *pick;
	const struct pool *pool;
	const struct demand *demand;
	int directory;
	struct lockset *locks;
	char **lack;
	struct error *e;
};

/* Takes as many GPUs of the pool as are demanded. */
static int
pick_gpus(const struct picker *p)
{
	const struct pool_part *pool = &p->pool->gpus;
	size_t wanted = p->demand->num_gpus, got = 0, usable = 0;

	p->pick->gpus = memory_alloc(wanted, sizeof *p->pick->gpus);
	for (size_t i = 0; i < pool->num && got < wanted; i++) {
		char *number = memory_format("%ld", pool->numbers[i]), *name = resource_of_gpu(number);
		int lock = device_is_hidden(number) ? -1 : resource_try(p->directory, name, p->e);

		usable += !device_is_hidden(number);
		if (lock >= 0) {
			lockset_add(p->locks, name, lock);
			p->pick->gpus[got++] = pool->numbers[i];
		}
		free(name);
		free(number);
		if (error_is_set(p->e))
			return -1;
	}
	if (got == wanted)
		return 1;
	if (usable < wanted)
		return error_add(p->e, EX_UNAVAILABLE, NULL, 0,
		    "%zu GPUs are named, and CUDA_VISIBLE_DEVICES shows %zu of those in resources (%s)", wanted, usable, pool->text);
	*p->lack = memory_format("%zu of the GPUs %s", wanted, pool->text);
	return 0;
}

/* Takes a run of COUNT free ports of the pool; its first to *FIRST. False: there is none now. */
static bool
pick_run(const struct picker *p, const struct listeners *strangers, size_t count, long *first)
{
	const struct pool_part *pool = &p->pool->ports;
	size_t run = 0;

	for (size_t i = 0; i < pool->num; i++) {
		char *name = resource_of_port(pool->numbers[i]);
		int lock;

		if (run > 0 && pool->numbers[i] != pool->numbers[i - 1] + 1) {
			lockset_drop(p->locks, run);
			run = 0;
		}
		lock = listeners_find(strangers, pool->numbers[i]) ? -1 : resource_try(p->directory, name, p->e);
		if (lock >= 0) {
			lockset_add(p->locks, name, lock);
			run++;
		} else {
			lockset_drop(p->locks, run);
			run = 0;
		}
		free(name);
		if (error_is_set(p->e))
			return false;
		if (run == count) {
			*first = pool->numbers[i] - (long)count + 1;
			return true;
		}
	}
	lockset_drop(p->locks, run);
	return false;
}

static int
pick_ports(const struct picker *p)
{
	const struct demand *d = p->demand;
	struct listeners strangers;
	bool good = true;

	listeners_read(&strangers);
	p->pick->ports = memory_alloc(d->num_port_fields, sizeof *p->pick->ports);
	for (size_t i = d->num_port_fields; good && i-- > 0;) /* the long run comes last, and has to find a place first */
		good = pick_run(p, &strangers, (size_t)d->port_fields[i].count, &p->pick->ports[i]);
	listeners_free(&strangers);
	if (good)
		return 1;
	if (error_is_set(p->e))
		return -1;
	*p->lack = memory_format("%ld of the ports %s", demand_num_ports(d), p->pool->ports.text);
	return 0;
}

int
pick_try(struct pick *pick, const struct pool *pool, const struct demand *demand, int directory, struct lockset *locks,
    char **lack, struct error *e)
{
	const struct picker p = { pick, pool, demand, directory, locks, lack, e };
	bool wants_gpus = pool->gpus.text && demand->num_gpus > 0, wants_ports = pool->ports.text && demand->num_port_fields > 0;
	size_t num = locks->num;
	int status = 1, turn;

	*lack = NULL;
	if (!wants_gpus && !wants_ports)
		return 1;
	turn = resource_try(directory, turn_name, e);
	if (turn < 0)
		return error_is_set(e) ? -1 : 0;
	if (wants_gpus)
		status = pick_gpus(&p);
	if (wants_ports && status == 1)
		status = pick_ports(&p);
	if (status != 1) {
		lockset_drop(locks, locks->num - num);
		pick_free(pick);
	}
	close(turn);
	return status;
}

void
pick_free(struct pick *pick)
{
	free(pick->gpus);
	free(pick->ports);
	*pick = (struct pick){ NULL, NULL };
}
