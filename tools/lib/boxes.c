#include "boxes.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"

void
boxes_take(struct boxes *boxes, struct box box)
{
	if ((boxes->num & (boxes->num - 1)) == 0)
		boxes->list = memory_resize(boxes->list, boxes->num ? 2 * boxes->num : 1, sizeof *boxes->list);
	boxes->list[boxes->num++] = box;
}

bool
boxes_are_free(const struct boxes *boxes, const struct box *box)
{
	if (box->x - box->half_width < boxes->left || box->x + box->half_width > boxes->right ||
	    box->y - box->half_height < boxes->top || box->y + box->half_height > boxes->bottom)
		return false;
	for (size_t i = 0; i < boxes->num; i++)
		if (fabs(boxes->list[i].x - box->x) < boxes->list[i].half_width + box->half_width &&
		    fabs(boxes->list[i].y - box->y) < boxes->list[i].half_height + box->half_height)
			return false;
	return true;
}

void
boxes_free(struct boxes *boxes)
{
	free(boxes->list);
	boxes->list = NULL;
	boxes->num = 0;
}
