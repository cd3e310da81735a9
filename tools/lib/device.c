#include "device.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "number.h"

static const char *
visible_devices(void)
{
	const char *list = getenv("CUDA_VISIBLE_DEVICES");

	return list && *list ? list : NULL;
}

char *
device_name(const char *name)
{
	const char *p = visible_devices();
	long place;
	size_t n;

	if (!p || !number_parse_integer(name, 0, INT_MAX, &place))
		return NULL;
	for (; place > 0 && p; place--) {
		p = strchr(p, ',');
		p = p ? p + 1 : NULL;
	}
	if (!p)
		return NULL;
	p += strspn(p, " ");
	n = strcspn(p, ", ");
	return n > 0 && *p != '-' ? memory_format("%.*s", (int)n, p) : NULL; /* a negative one ends the list for CUDA */
}

bool
device_is_hidden(const char *number)
{
	char *device = device_name(number);
	bool hidden = visible_devices() && !device;

	free(device);
	return hidden;
}
