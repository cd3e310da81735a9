#include "demand.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "memory.h"
#include "number.h"

enum { GPU_MAX = 4096, PORT_MAX = 65535 };

/* Where the values come from. */
struct source {
	struct json_object *config;
	const struct field_table *defaults; /* NULL: only what the config gives counts */
};

/* The value of a field, to be json_object_put(); NULL: it has none. */
static struct json_object *
value_of(const struct source *source, const char *name)
{
	struct json_object *value = json_object_object_get(source->config, name);
	const struct field *field = value || !source->defaults ? NULL : field_find(source->defaults, name);

	return field ? field_default(field) : json_object_get(value);
}

/* The place of the GPU of that name in the list, where it is added if need be. */
static size_t
place_of(struct demand *d, const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < d->num_gpus; i++)
		if (strlen(d->gpus[i]) == length && strncmp(d->gpus[i], name, length) == 0)
			return i;
	d->gpus = memory_resize(d->gpus, i + 1, sizeof *d->gpus);
	d->gpus[i] = memory_format("%.*s", (int)length, name);
	d->num_gpus++;
	return i;
}

static void
add_gpu(struct demand *d, struct demand_gpus *of, const char *name, size_t length)
{
	if (length == 0 || of->num >= GPU_MAX)
		return;
	of->places = memory_resize(of->places, of->num + 1, sizeof *of->places);
	of->places[of->num++] = place_of(d, name, length);
}

/* Adds the names in TEXT, with commas or blanks between them. */
static void
add_names(struct demand *d, struct demand_gpus *of, const char *text)
{
	static const char between[] = ", \t\n";

	for (const char *p = text + strspn(text, between); *p; p += strspn(p, between)) {
		size_t length = strcspn(p, between);

		add_gpu(d, of, p, length);
		p += length;
	}
}

/* Adds the GPUs of one field: text, a number, or a list of such. */
static void
add_gpu_field(struct demand *d, const struct source *source, const char *name)
{
	struct demand_gpus *of = &d->gpu_fields[d->num_gpu_fields];
	struct json_object *value = value_of(source, name);
	bool is_list = json_object_is_type(value, json_type_array);

	of->field = name;
	for (size_t i = 0; is_list && i < json_object_array_length(value); i++) {
		struct json_object *item = json_object_array_get_idx(value, i);

		if (json_object_is_type(item, json_type_string) || json_object_is_type(item, json_type_int))
			add_names(d, of, json_object_get_string(item));
	}
	if (json_object_is_type(value, json_type_string) || json_object_is_type(value, json_type_int))
		add_names(d, of, json_object_get_string(value));
	json_object_put(value);
	d->num_gpu_fields += of->num > 0;
}

static void
add_ports(struct demand *d, const struct source *source, const char *name, size_t count)
{
	struct json_object *value = value_of(source, name);
	const char *text = value ? json_object_get_string(value) : "";
	long port;

	if (number_parse_integer(text, 1, PORT_MAX, &port))
		d->port_fields[d->num_port_fields++] = (struct demand_ports){ name, port,
			(long)count > PORT_MAX + 1 - port ? PORT_MAX + 1 - port : (long)count };
	json_object_put(value);
}

/* Reads scheduler_address, which goes with scheduler_port: a pool that assigns the one has to change the other. */
static void
read_address(struct demand *d, const struct source *source)
{
	struct json_object *value = value_of(source, "scheduler_address");
	const char *text = json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
	const char *colon = strrchr(text, ':');
	long port;

	if (colon && d->num_port_fields > 0 && number_parse_integer(colon + 1, 1, PORT_MAX, &port) &&
	    port == d->port_fields[0].first)
		d->scheduler_host = memory_format("%.*s", (int)(colon - text), text);
	json_object_put(value);
}

/* Whether the field is a text that is not blank or a list that is not empty. */
static bool
is_given(struct json_object *config, const char *name)
{
	struct json_object *value = json_object_object_get(config, name);
	const char *text = json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";

	return text[strspn(text, " \t\n")] || (json_object_is_type(value, json_type_array) && json_object_array_length(value) > 0);
}

/* The port of a http URL, that of the scheme where it gives none; 0: it is no such URL. */
static long
port_of_url(const char *url)
{
	size_t scheme = strncmp(url, "http://", 7) == 0 ? 7 : strncmp(url, "https://", 8) == 0 ? 8 : 0;
	char *host = memory_format("%.*s", (int)strcspn(url + scheme, "/?#"), url + scheme);
	const char *at = strrchr(host, '@'), *bracket = strrchr(host, ']');
	const char *colon = strchr(bracket ? bracket : at ? at : host, ':');
	long port = scheme == 7 ? 80 : 443;

	if (scheme == 0 || (colon && !number_parse_integer(colon + 1, 1, PORT_MAX, &port)))
		port = 0;
	free(host);
	return port;
}

/* Reads base_url, of a harness that starts the server behind it; not where that is said to be elsewhere (check_port). */
static void
read_server(struct demand *d, const struct field_table *fields, struct json_object *config)
{
	struct source source = { config, fields };
	struct json_object *url;

	if (!field_find(fields, "base_url") || !is_given(config, "server_command") || is_given(config, "unix_socket") ||
	    !json_get_bool(config, "check_port", true))
		return;
	url = value_of(&source, "base_url");
	if (json_object_is_type(url, json_type_string))
		d->server_port = port_of_url(json_object_get_string(url));
	json_object_put(url);
}

/* Whether the config, or else the field's default, says that no other trial may run on this machine. */
static bool
is_exclusive(const char *harness, const struct field_table *fields, struct json_object *config)
{
	const struct field *field = fields ? field_find(fields, "exclusive") : NULL;

	return json_get_bool(config, "exclusive", harness && (!field || strcmp(field->otherwise, "false") != 0));
}

void
demand_read(const char *harness, const struct field_table *fields, struct json_object *config, struct demand *d)
{
	bool is_sangam = harness && strcmp(harness, "sangam") == 0, is_hybrid;
	struct source source = { config, is_sangam ? fields : NULL };
	size_t workers = 0;

	memset(d, 0, sizeof *d);
	d->chooses_devices = is_sangam;
	d->is_simulated = harness && strcmp(harness, "sim") == 0;
	if (d->is_simulated)
		return;
	is_hybrid = strcmp(json_get_text(config, "mode", ""), "hybrid") == 0;
	if (!is_sangam || !is_hybrid)
		add_gpu_field(d, &source, "gpus");
	if (!is_sangam || is_hybrid) {
		add_gpu_field(d, &source, "prefill_gpus");
		add_gpu_field(d, &source, "hybrid_colocated_gpus");
	}
	for (size_t i = 0; i < d->num_gpu_fields; i++)
		workers += d->gpu_fields[i].num;
	add_ports(d, &source, "scheduler_port", 1);
	read_address(d, &source);
	add_ports(d, &source, "master_port", 1);
	add_ports(d, &source, "base_worker_port", workers > 0 ? workers : 1);
	if (harness && fields && !is_sangam)
		read_server(d, fields, config);
	d->host = !is_sangam && is_exclusive(harness, fields, config);
}

void
demand_free(struct demand *d)
{
	for (size_t i = 0; i < d->num_gpus; i++)
		free(d->gpus[i]);
	free(d->gpus);
	free(d->scheduler_host);
	for (size_t i = 0; i < DEMAND_GPU_FIELDS; i++)
		free(d->gpu_fields[i].places);
	memset(d, 0, sizeof *d);
}

bool
demand_is_empty(const struct demand *d)
{
	return d->num_gpus == 0 && d->num_port_fields == 0 && d->server_port == 0 && !d->host;
}

long
demand_num_ports(const struct demand *d)
{
	long n = 0;

	for (size_t i = 0; i < d->num_port_fields; i++)
		n += d->port_fields[i].count;
	return n;
}
