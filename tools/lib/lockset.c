#include "lockset.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lock.h"
#include "memory.h"
#include "process.h"
#include "resource.h"

void
lockset_add(struct lockset *locks, const char *name, int lock)
{
	locks->list = memory_resize(locks->list, locks->num + 1, sizeof *locks->list);
	locks->list[locks->num++] = (struct lockset_lock){ memory_string(name), lock, -1 };
}

bool
lockset_has(const struct lockset *locks, const char *name)
{
	for (size_t i = 0; i < locks->num; i++)
		if (strcmp(locks->list[i].name, name) == 0)
			return true;
	return false;
}

void
lockset_drop(struct lockset *locks, size_t count)
{
	while (count-- > 0) {
		locks->num--;
		close(locks->list[locks->num].lock);
		free(locks->list[locks->num].name);
	}
}

int
lockset_mark(struct lockset *locks, int directory, const char *mark, struct error *e)
{
	char left[LOCK_MARK_MAX];

	for (size_t i = 0; i < locks->num; i++) {
		struct lockset_lock *l = &locks->list[i];

		l->mark = resource_open_mark(directory, l->name, left, e);
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
lockset_clear_marks(const struct lockset *locks)
{
	for (size_t i = 0; i < locks->num; i++)
		if (locks->list[i].mark >= 0)
			lock_clear_mark(locks->list[i].mark);
}

int *
lockset_descriptors(const struct lockset *locks, size_t *num)
{
	int *list = memory_alloc(2 * locks->num, sizeof *list);

	*num = 0;
	for (size_t i = 0; i < locks->num; i++) {
		if (locks->list[i].lock >= 0)
			list[(*num)++] = locks->list[i].lock;
		if (locks->list[i].mark >= 0)
			list[(*num)++] = locks->list[i].mark;
	}
	return list;
}

void
lockset_free(struct lockset *locks)
{
	for (size_t i = 0; i < locks->num; i++) {
		if (locks->list[i].lock >= 0)
			close(locks->list[i].lock);
		if (locks->list[i].mark >= 0)
			close(locks->list[i].mark);
		free(locks->list[i].name);
	}
	free(locks->list);
	*locks = (struct lockset){ NULL, 0 };
}
