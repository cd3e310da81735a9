#include "events.h"

#include "memory.h"

void
events_init(struct events *events, const char *bytes, size_t size, struct faults *faults)
{
	*events = (struct events){ .bytes = bytes, .size = size, .faults = faults };
	if (!yaml_parser_initialize(&events->parser))
		memory_exhausted();
	yaml_parser_set_input_string(&events->parser, (const unsigned char *)bytes, size);
}

void
events_free(struct events *events)
{
	yaml_parser_delete(&events->parser);
}

static bool
report_syntax(const struct events *events)
{
	const yaml_parser_t *p = &events->parser;
	long line = (long)p->problem_mark.line + 1;

	if (p->error == YAML_MEMORY_ERROR)
		memory_exhausted();
	if (p->error == YAML_READER_ERROR) { /* has an offset, no line */
		line = 1;
		for (size_t i = 0; i < p->problem_offset && i < events->size; i++)
			line += events->bytes[i] == '\n';
		fault_add(events->faults, line, "not YAML: %s (0x%02X)", p->problem, (unsigned)p->problem_value);
	} else if (p->context) {
		fault_add(events->faults, line, "not YAML: %s on line %zu, %s", p->context, p->context_mark.line + 1, p->problem);
	} else {
		fault_add(events->faults, line, "not YAML: %s", p->problem);
	}
	return false;
}

bool
events_next(struct events *events, yaml_event_t *event)
{
	if (fault_is_full(events->faults))
		return false;
	return yaml_parser_parse(&events->parser, event) || report_syntax(events);
}

long
events_line(const yaml_event_t *event)
{
	return (long)event->start_mark.line + 1;
}
