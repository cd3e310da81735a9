#include "headers.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

bool
headers_add(struct headers *h, const char *text)
{
	size_t name = strcspn(text, ": \t");

	if (text[strcspn(text, "\r\n")] || name == 0 || text[name] != ':' || !text[name + 1 + strspn(text + name + 1, " \t")])
		return false;
	h->list = memory_resize(h->list, h->count + 1, sizeof *h->list);
	h->list[h->count++] = text;
	return true;
}

bool
headers_have(const struct headers *h, const char *name)
{
	size_t size = strlen(name);

	for (size_t i = 0; i < h->count; i++)
		if (strncasecmp(h->list[i], name, size) == 0 && h->list[i][size] == ':')
			return true;
	return false;
}

void
headers_free(struct headers *h)
{
	free(h->list);
	*h = (struct headers){ NULL, 0 };
}
