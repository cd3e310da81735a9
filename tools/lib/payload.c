#include "payload.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "file.h"
#include "json.h"
#include "lines.h"
#include "memory.h"
#include "random.h"

enum { STREAM = 5 };

enum part_kind { LITERAL, PROMPT, PROMPT_TOKENS, COMPLETION_TOKENS, REQUEST_ID, MODEL };

static const char *const part_names[] = { "", "prompt", "prompt_tokens", "completion_tokens", "request_id", "model" };

static const char chat_template[] =
	"{\"model\": \"{{model}}\", \"messages\": [{\"role\": \"user\", \"content\": \"{{prompt}}\"}], "
	"\"max_tokens\": {{completion_tokens}}, \"stream\": true, \"stream_options\": {\"include_usage\": true}}";

/* Short words that tokenizers know as one token each, with the blank before them. */
static const char *const words[] = {
	"the", "of", "and", "to", "in", "is", "that", "for", "it", "as", "was", "with", "be", "by", "on", "not",
	"he", "his", "but", "at", "are", "this", "have", "from", "or", "had", "an", "they", "which", "one", "you", "were",
};

struct part {
	enum part_kind kind;
	const char *text; /* of a literal */
	size_t size;
};

struct request {
	bool is_prompt; /* text is a prompt, escaped; else a whole body */
	char *text;
	size_t size;
};

struct payload {
	char *text;           /* the one body; or the template, which the parts point into */
	size_t size;
	struct part *parts;   /* none: no template */
	size_t num_parts;
	struct request *requests;
	size_t num_requests, next;
	char *model;          /* escaped */
	struct random random; /* for words */
};

static void
append(struct payload_body *b, const char *bytes, size_t size)
{
	if (b->size + size > b->room) {
		b->room = b->size + size > 2 * b->room ? b->size + size : 2 * b->room;
		b->bytes = memory_resize(b->bytes, b->room, 1);
	}
	memcpy(b->bytes + b->size, bytes, size);
	b->size += size;
}

/* TEXT as it stands between the quotes of a JSON string (to be freed). */
static char *
escaped(const char *text)
{
	struct json_object *string = json_object_new_string(text);
	const char *quoted = json_object_to_json_string_ext(string, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
	char *between = memory_string(quoted + 1);

	between[strlen(between) - 1] = '\0';
	json_object_put(string);
	return between;
}

static struct part *
add_part(struct payload *p, enum part_kind kind, const char *text, size_t size)
{
	p->parts = memory_resize(p->parts, p->num_parts + 1, sizeof *p->parts);
	p->parts[p->num_parts] = (struct part){ kind, text, size };
	return &p->parts[p->num_parts++];
}

static long
line_of(const char *text, const char *at)
{
	long line = 1;

	for (; text < at; text++)
		line += *text == '\n';
	return line;
}

/* Takes p->text apart. */
static int
parse_template(struct payload *p, const char *path, struct error *e)
{
	const char *at = p->text, *open;

	while ((open = strstr(at, "{{")) != NULL) {
		const char *name = open + 2, *close = strstr(name, "}}");
		size_t size = close ? (size_t)(close - name) : 0;
		int kind = MODEL;

		while (kind > LITERAL && !(size == strlen(part_names[kind]) && memcmp(name, part_names[kind], size) == 0))
			kind--;
		if (kind == LITERAL)
			return error_add(e, EX_DATAERR, path, line_of(p->text, open),
			    "unknown {{%.*s}}; expected {{prompt}}, {{prompt_tokens}}, {{completion_tokens}}, {{request_id}} or {{model}}",
			    (int)(size < 32 ? size : 32), name);
		add_part(p, LITERAL, at, (size_t)(open - at));
		add_part(p, (enum part_kind)kind, NULL, 0);
		at = close + 2;
	}
	add_part(p, LITERAL, at, p->size - (size_t)(at - p->text));
	return 0;
}

/* The value of the first turn that a human has; NULL: there is none. */
static const char *
first_turn(struct json_object *conversations)
{
	size_t count = json_object_is_type(conversations, json_type_array) ? json_object_array_length(conversations) : 0;

	for (size_t i = 0; i < count; i++) {
		struct json_object *turn = json_object_array_get_idx(conversations, i);
		const char *from = json_object_is_type(turn, json_type_object) ? json_get_text(turn, "from", "") : "";

		if (strcmp(from, "human") == 0 || strcmp(from, "user") == 0)
			return json_get_text(turn, "value", NULL);
	}
	return NULL;
}

/* The prompt in VALUE; NULL: there is none. */
static const char *
prompt_in(struct json_object *value, bool has_template)
{
	struct json_object *conversations;

	if (json_object_is_type(value, json_type_string))
		return json_object_get_string(value);
	if (json_object_object_get_ex(value, "conversations", &conversations))
		return first_turn(conversations);
	return has_template ? json_get_text(value, "prompt", NULL) : NULL;
}

static int
add_request(struct payload *p, const char *line, size_t size, const char *path, long number, bool has_template, struct error *e)
{
	struct json_object *value = json_parse(line, size, path, number, e), *body;
	struct request r = { false, NULL, 0 };
	const char *prompt;

	if (error_is_set(e))
		return -1;
	if (!json_object_is_type(value, json_type_object) && !json_object_is_type(value, json_type_string)) {
		json_object_put(value);
		return error_add(e, EX_DATAERR, path, number, "expected an object or a text on each line (of a list: jq -c '.[]')");
	}
	prompt = prompt_in(value, has_template);
	if (prompt) {
		r.is_prompt = true;
		r.text = escaped(prompt);
	} else if (json_object_is_type(value, json_type_object) && json_object_object_get_ex(value, "conversations", NULL)) {
		json_object_put(value);
		return error_add(e, EX_DATAERR, path, number, "no human turn in \"conversations\"");
	} else if (json_object_object_get_ex(value, "body", &body)) {
		r.text = memory_string(json_object_is_type(body, json_type_string) ? json_object_get_string(body)
		    : json_object_to_json_string_ext(body, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	} else {
		r.text = memory_format("%.*s", (int)size, line);
		r.text[strcspn(r.text, "\r\n")] = '\0';
	}
	json_object_put(value);
	r.size = strlen(r.text);
	if ((p->num_requests & (p->num_requests - 1)) == 0)
		p->requests = memory_resize(p->requests, p->num_requests ? 2 * p->num_requests : 1, sizeof *p->requests);
	p->requests[p->num_requests++] = r;
	return 0;
}

static bool
is_blank(const char *line, size_t size)
{
	while (size > 0 && strchr(" \t\r\n", line[size - 1]))
		size--;
	return size == 0;
}

static int
read_requests(struct payload *p, const char *path, bool has_template, struct error *e)
{
	struct lines lines;
	char *line;
	size_t size;
	int more = lines_open(&lines, path, e);

	while (more >= 0 && (more = lines_next(&lines, &line, &size, e)) > 0)
		if (!is_blank(line, size))
			add_request(p, line, size, path, lines.number, has_template, e);
	lines_close(&lines);
	if (!error_is_set(e) && p->num_requests == 0)
		error_add(e, EX_DATAERR, path, 0, "no requests; expected a JSON object a line");
	return error_is_set(e) ? -1 : 0;
}

static int
read_source(struct payload *p, const struct payload_source *s, struct error *e)
{
	bool needs_template = s->template != NULL || (s->is_chat && !s->text && !s->file && !s->requests);

	if (s->requests && read_requests(p, s->requests, s->template != NULL, e) < 0)
		return -1;
	for (size_t i = 0; i < p->num_requests; i++)
		needs_template |= p->requests[i].is_prompt;
	if (s->template || s->file)
		p->text = file_read(s->template ? s->template : s->file, &p->size, e);
	else if (needs_template || s->text)
		p->text = memory_string(needs_template ? chat_template : s->text);
	if (error_is_set(e))
		return -1;
	if (!p->text)
		return 0;
	if (!s->template && !s->file)
		p->size = strlen(p->text);
	return needs_template ? parse_template(p, s->template, e) : 0;
}

struct payload *
payload_new(const struct payload_source *s, struct error *e)
{
	struct payload *p = memory_alloc(1, sizeof *p);

	random_seed(&p->random, s->seed, STREAM);
	p->model = escaped(s->model);
	if (read_source(p, s, e) == 0)
		return p;
	payload_free(p);
	return NULL;
}

void
payload_free(struct payload *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->num_requests; i++)
		free(p->requests[i].text);
	free(p->requests);
	free(p->parts);
	free(p->text);
	free(p->model);
	free(p);
}

const char *
payload_constant(const struct payload *p, size_t *size)
{
	*size = p->size;
	return p->num_parts || p->num_requests ? NULL : p->text ? p->text : "";
}

static void
append_words(struct payload *p, long count, struct payload_body *body)
{
	for (long i = 0; i < count; i++) {
		const char *word = words[random_below(&p->random, sizeof words / sizeof *words)];

		append(body, " ", i > 0);
		append(body, word, strlen(word));
	}
}

static void
append_part(struct payload *p, const struct part *part, const struct request *r, uint64_t id, struct length_tokens tokens,
    struct payload_body *body)
{
	char number[32];

	switch (part->kind) {
	case LITERAL:
		append(body, part->text, part->size);
		return;
	case MODEL:
		append(body, p->model, strlen(p->model));
		return;
	case PROMPT:
		if (r)
			append(body, r->text, r->size);
		else
			append_words(p, tokens.prefill, body);
		return;
	case REQUEST_ID:
		append(body, number, (size_t)snprintf(number, sizeof number, "%" PRIu64, id));
		return;
	default:
		append(body, number, (size_t)snprintf(number, sizeof number, "%ld",
		    part->kind == PROMPT_TOKENS ? tokens.prefill : tokens.decode));
	}
}

void
payload_next(struct payload *p, uint64_t id, struct length_tokens tokens, struct payload_body *body)
{
	const struct request *r = p->num_requests ? &p->requests[p->next] : NULL;

	body->size = 0;
	if (r)
		p->next = (p->next + 1) % p->num_requests;
	if (r && !r->is_prompt)
		append(body, r->text, r->size);
	else
		for (size_t i = 0; i < p->num_parts; i++)
			append_part(p, &p->parts[i], r, id, tokens, body);
}
