#include "chunk.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum state { VALUE, FIRST_ITEM, KEY, FIRST_KEY, COLON, BEHIND, IN_KEY, IN_STRING, IN_WORD, END };

enum key { OTHER, ITEM, CHOICES, DELTA, CONTENT, REASONING, TOOLS, TEXT, FINISH, USAGE, PROMPT, COMPLETION, ERROR, MESSAGE };

static const struct {
	const char *text;
	enum key key;
} known_keys[] = {
	{ "choices", CHOICES }, { "delta", DELTA }, { "content", CONTENT }, { "reasoning_content", REASONING },
	{ "reasoning", REASONING }, { "tool_calls", TOOLS }, { "text", TEXT }, { "finish_reason", FINISH }, { "usage", USAGE },
	{ "prompt_tokens", PROMPT }, { "completion_tokens", COMPLETION }, { "error", ERROR }, { "message", MESSAGE },
};

void
chunk_start(struct chunk *c)
{
	memset(c, 0, offsetof(struct chunk, is_array));
	c->message[0] = '\0';
	c->prompt_tokens = c->completion_tokens = -1;
	c->state = VALUE;
	c->depth = 0;
	c->word_size = c->string_size = c->message_size = 0;
}

bool
chunk_is_whole(const struct chunk *c)
{
	return !c->is_broken && c->state == END;
}

/* Whether the value at hand is at the path A.B, or A[].B, A[].B.C with ITEM as the second. */
static bool
is_at(const struct chunk *c, int depth, enum key a, enum key b, enum key third, enum key fourth)
{
	const unsigned char keys[] = { (unsigned char)a, (unsigned char)b, (unsigned char)third, (unsigned char)fourth };

	return c->depth == depth && memcmp(c->path + 1, keys, (size_t)depth) == 0;
}

static bool
is_text(const struct chunk *c)
{
	return is_at(c, 4, CHOICES, ITEM, DELTA, CONTENT) || is_at(c, 4, CHOICES, ITEM, DELTA, REASONING) ||
	    is_at(c, 3, CHOICES, ITEM, TEXT, OTHER);
}

/* Inside the list of tool calls, which some servers send empty. */
static bool
is_tool_call(const struct chunk *c)
{
	const unsigned char keys[] = { CHOICES, ITEM, DELTA, TOOLS, ITEM };

	return c->depth == sizeof keys && memcmp(c->path + 1, keys, sizeof keys) == 0;
}

static bool
is_finish(const struct chunk *c)
{
	return is_at(c, 3, CHOICES, ITEM, FINISH, OTHER);
}

static bool
is_error(const struct chunk *c)
{
	return is_at(c, 1, ERROR, OTHER, OTHER, OTHER);
}

static bool
is_message(const struct chunk *c)
{
	return is_error(c) || is_at(c, 2, ERROR, MESSAGE, OTHER, OTHER);
}

static void
end_value(struct chunk *c)
{
	c->state = c->depth ? BEHIND : END;
}

static void
open_level(struct chunk *c, bool is_array)
{
	if (c->depth == CHUNK_LEVELS) {
		c->is_broken = true;
		return;
	}
	c->depth++;
	c->is_array[c->depth] = is_array;
	c->path[c->depth] = is_array ? ITEM : OTHER;
	c->state = is_array ? FIRST_ITEM : FIRST_KEY;
}

static void
start_value(struct chunk *c, char byte)
{
	if (is_error(c) && byte != 'n')
		c->has_error = true;
	if (is_tool_call(c))
		c->has_text = true;
	if (byte == '{' || byte == '[') {
		open_level(c, byte == '[');
	} else if (byte == '"') {
		c->state = IN_STRING;
		c->string_size = c->word_size = 0;
	} else if (isalnum((unsigned char)byte) || byte == '-') {
		c->state = IN_WORD;
		c->word[0] = byte;
		c->word_size = 1;
	} else {
		c->is_broken = true;
	}
}

/* Ends a number or literal; numbers longer than any count are none. */
static void
end_word(struct chunk *c)
{
	bool is_number = isdigit((unsigned char)c->word[0]) || c->word[0] == '-';

	c->word[c->word_size] = '\0';
	if (!is_number && strcmp(c->word, "null") != 0 && strcmp(c->word, "true") != 0 && strcmp(c->word, "false") != 0)
		c->is_broken = true;
	if (isdigit((unsigned char)c->word[0]) && c->word_size < 16) {
		if (is_at(c, 2, USAGE, PROMPT, OTHER, OTHER))
			c->prompt_tokens = strtol(c->word, NULL, 10);
		else if (is_at(c, 2, USAGE, COMPLETION, OTHER, OTHER))
			c->completion_tokens = strtol(c->word, NULL, 10);
	}
	end_value(c);
}

static bool
word_is(const struct chunk *c, const char *text)
{
	return c->word_size == strlen(text) && memcmp(text, c->word, c->word_size) == 0;
}

static void
end_key(struct chunk *c)
{
	c->path[c->depth] = OTHER;
	for (size_t i = 0; i < sizeof known_keys / sizeof *known_keys; i++)
		if (word_is(c, known_keys[i].text))
			c->path[c->depth] = (unsigned char)known_keys[i].key;
	c->state = COLON;
}

static void
end_string(struct chunk *c)
{
	if (c->string_size > 0 && is_text(c)) {
		c->has_text = true;
	} else if (is_finish(c)) {
		c->has_finish = true;
		c->has_abort |= word_is(c, "abort") || word_is(c, "cancelled") || word_is(c, "error");
	}
	end_value(c);
}

static void
close_level(struct chunk *c, char byte)
{
	if (byte != (c->is_array[c->depth] ? ']' : '}')) {
		c->is_broken = true;
		return;
	}
	c->depth--;
	end_value(c);
}

/* A byte of a string or key, its end too. */
static void
read_inside(struct chunk *c, char byte)
{
	if (byte == '"' && !c->is_escaped) {
		if (c->state == IN_KEY)
			end_key(c);
		else
			end_string(c);
		return;
	}
	c->is_escaped = byte == '\\' && !c->is_escaped;
	if (c->state == IN_KEY || is_finish(c)) {
		if (c->word_size < sizeof c->word)
			c->word[c->word_size++] = byte;
	} else if (c->string_size++ < CHUNK_MESSAGE - 1 && is_message(c)) {
		c->message[c->string_size - 1] = byte;
		c->message[c->string_size] = '\0';
	}
}

/* A byte between values; blanks are skipped before. */
static void
read_between(struct chunk *c, char byte)
{
	switch ((enum state)c->state) {
	case FIRST_ITEM:
		if (byte == ']')
			close_level(c, byte);
		else
			start_value(c, byte);
		break;
	case VALUE:
		start_value(c, byte);
		break;
	case FIRST_KEY:
	case KEY:
		if (byte == '}' && c->state == FIRST_KEY) {
			close_level(c, byte);
		} else if (byte == '"') {
			c->state = IN_KEY;
			c->word_size = 0;
		} else {
			c->is_broken = true;
		}
		break;
	case COLON:
		c->is_broken = byte != ':';
		c->state = VALUE;
		break;
	case BEHIND:
		if (byte == ',')
			c->state = c->is_array[c->depth] ? VALUE : KEY;
		else
			close_level(c, byte);
		break;
	default:
		c->is_broken = true;
	}
}

static bool
is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

void
chunk_read(struct chunk *c, const char *bytes, size_t size)
{
	for (const char *end = bytes + size; bytes < end && !c->is_broken; bytes++) {
		if (c->state == IN_STRING || c->state == IN_KEY) {
			read_inside(c, *bytes);
			continue;
		}
		if (c->state == IN_WORD) {
			if (isalnum((unsigned char)*bytes) || strchr("+-.", *bytes)) {
				if (c->word_size < sizeof c->word - 1)
					c->word[c->word_size++] = *bytes;
				continue;
			}
			end_word(c);
		}
		if (!is_blank(*bytes) && !c->is_broken)
			read_between(c, *bytes);
	}
}
