/* Places taken on a picture, so that texts do not stand on top of each other. */
#ifndef BOXES_H
#define BOXES_H

#include <stdbool.h>
#include <stddef.h>

/* A place, by its middle. */
struct box {
	double x, y, half_width, half_height;
};

struct boxes {
	double left, right, top, bottom; /* the caller's: no place beyond these is free */
	struct box *list;                /* zeroed at first, as NUM */
	size_t num;
};

/* Takes a place, whatever is there. */
void boxes_take(struct boxes *boxes, struct box box);

/* Whether nothing that is taken overlaps BOX; touching it is fine. */
bool boxes_are_free(const struct boxes *boxes, const struct box *box);

void boxes_free(struct boxes *boxes);

#endif
