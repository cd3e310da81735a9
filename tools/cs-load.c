/*
 * cs-load: an open-loop HTTP load generator.
 *
 * Sends requests to a URL at the times that the arrival process says, whatever the service does, and
 * measures every latency from when the request was due. Reads a trial's config (--config), a body, a template or
 * a file of requests. Writes request_metrics.csv, a row as each request finishes, and at the end
 * benchmark_results.json: into --output-dir or $CS_TRIAL_DIR; without, the rows go to stdout. Locks nothing.
 *
 * Exit status: 0 the run came to its end, however many requests failed; 64 and up an error (sysexits.h).
 */
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/un.h>
#include <sysexits.h>

#include "client.h"
#include "error.h"
#include "json.h"
#include "load.h"
#include "memory.h"
#include "payload.h"
#include "program.h"
#include "rate.h"
#include "settings.h"

static const char help[] =
	"Usage: cs-load --qps Q --num-requests N [OPTION...] URL\n"
	"Send HTTP requests at given times, whatever the service does, and record how long each took from\n"
	"when it was due.\n"
	"\n"
	"  --output-dir DIR                 where request_metrics.csv and benchmark_results.json go\n"
	"                                   (default $CS_TRIAL_DIR; -, or neither: rows on standard output)\n"
	"  --config FILE                    a trial_config.json: values for the fields below\n"
	"  --method M                       (default GET, with a body POST)\n"
	"  --header 'NAME: VALUE'           may be given again\n"
	"  --body TEXT                      the body of every request\n"
	"  --body-file FILE                 the same from a file\n"
	"  --body-template FILE             a body with {{prompt}}, {{prompt_tokens}}, {{completion_tokens}},\n"
	"                                   {{request_id}}, {{model}} to fill in\n"
	"  --requests-file FILE             a body, prompt or conversation a line, as JSON\n"
	"  --stream openai                  answers are streams of OpenAI-style chunks\n"
	"  --http 1.1|2|2-prior-knowledge   (default 1.1)\n"
	"  --unix-socket PATH               connect to PATH\n"
	"  --cacert FILE                    certificates to trust\n"
	"  --insecure                       trust any certificate\n"
	"  --timeout-s S                    a request not done S seconds after it was due failed (default 60)\n"
	"  --threshold-s S                  the smallest latency that the service is judged by\n"
	"  --max-connections N              requests at a time (default: as many as files may be open)\n"
	PROGRAM_HELP_LINES
	"\n"
	"Fields of the benchmark config: --qps, --num-requests, --duration, --num-warmup-requests, --seed,\n"
	"--interval-type, --cv, --interval-trace-file, --interval-trace-start-time, --interval-trace-end-time,\n"
	"--interval-trace-time-scale-factor, --request-generator-type, --trace-file, --trace-date,\n"
	"--time-scale-factor, --length-type, --prefill-tokens, --decode-tokens, --min-tokens, --max-tokens,\n"
	"--prefill-to-decode-ratio, --zipf-theta, --length-trace-file, --gen-length, --model\n"
	"\n"
	"Exit status: 0 the run came to its end, however many requests failed; 64 and up an error.\n"
	"\n"
	"Example: cs-load --qps 100 --num-requests 1000 http://localhost:8080/\n";

enum { OUTPUT_DIR = 256, CONFIG, METHOD, HEADER, BODY, BODY_FILE, BODY_TEMPLATE, REQUESTS_FILE, STREAM, HTTP, UNIX_SOCKET,
	CACERT, INSECURE, TIMEOUT, THRESHOLD, MAX_CONNECTIONS, FIELD };

#define FIELD_OPTION(name) { name, required_argument, NULL, FIELD }

static const struct option longopts[] = {
	{ "output-dir", required_argument, NULL, OUTPUT_DIR },
	{ "config", required_argument, NULL, CONFIG },
	{ "method", required_argument, NULL, METHOD },
	{ "header", required_argument, NULL, HEADER },
	{ "body", required_argument, NULL, BODY },
	{ "body-file", required_argument, NULL, BODY_FILE },
	{ "body-template", required_argument, NULL, BODY_TEMPLATE },
	{ "requests-file", required_argument, NULL, REQUESTS_FILE },
	{ "stream", required_argument, NULL, STREAM },
	{ "http", required_argument, NULL, HTTP },
	{ "unix-socket", required_argument, NULL, UNIX_SOCKET },
	{ "cacert", required_argument, NULL, CACERT },
	{ "insecure", no_argument, NULL, INSECURE },
	{ "timeout-s", required_argument, NULL, TIMEOUT },
	{ "threshold-s", required_argument, NULL, THRESHOLD },
	{ "max-connections", required_argument, NULL, MAX_CONNECTIONS },
	FIELD_OPTION("qps"), FIELD_OPTION("num-requests"), FIELD_OPTION("duration"), FIELD_OPTION("num-warmup-requests"),
	FIELD_OPTION("seed"), FIELD_OPTION("interval-type"), FIELD_OPTION("cv"), FIELD_OPTION("interval-trace-file"),
	FIELD_OPTION("interval-trace-start-time"), FIELD_OPTION("interval-trace-end-time"),
	FIELD_OPTION("interval-trace-time-scale-factor"), FIELD_OPTION("request-generator-type"), FIELD_OPTION("trace-file"),
	FIELD_OPTION("trace-date"), FIELD_OPTION("time-scale-factor"), FIELD_OPTION("length-type"),
	FIELD_OPTION("prefill-tokens"), FIELD_OPTION("decode-tokens"), FIELD_OPTION("min-tokens"), FIELD_OPTION("max-tokens"),
	FIELD_OPTION("prefill-to-decode-ratio"), FIELD_OPTION("zipf-theta"), FIELD_OPTION("length-trace-file"),
	FIELD_OPTION("gen-length"), FIELD_OPTION("model"),
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, PROGRAM_OPTION_VERSION },
	{ NULL, 0, NULL, 0 },
};

static struct options {
	struct client_options client;
	struct payload_source payload;
	const char *output_dir, *config; /* output_dir NULL: the rows go to standard output */
	double threshold;
	struct json_object *fields; /* of the benchmark config */
} options = { .client = { .timeout = 60 }, .threshold = INFINITY };

static int
add_header(const char *text, struct error *e)
{
	if (headers_add(&options.client.headers, text))
		return 0;
	return error_add(e, EX_USAGE, NULL, 0, "--header: '%s' will not do; expected 'NAME: VALUE'", text);
}

static int
set_stream(const char *text, struct error *e)
{
	if (strcmp(text, "openai") != 0)
		return error_add(e, EX_USAGE, NULL, 0, "--stream: '%s' will not do; expected openai", text);
	options.client.is_stream = true;
	options.payload.is_chat = true;
	return 0;
}

static int
set_version(const char *text, struct error *e)
{
	static const char *const versions[] = { "1.1", "2", "2-prior-knowledge" };

	for (int i = 0; i < 3; i++)
		if (strcmp(text, versions[i]) == 0) {
			options.client.version = (enum client_version)i;
			return 0;
		}
	return error_add(e, EX_USAGE, NULL, 0, "--http: '%s' will not do; expected 1.1, 2 or 2-prior-knowledge", text);
}

static int
set_option(int option, const char *name, char *text, struct error *e)
{
	struct options *o = &options;

	switch (option) {
	case OUTPUT_DIR: o->output_dir = text; return 0;
	case CONFIG: o->config = text; return 0;
	case METHOD: o->client.method = text; return 0;
	case HEADER: return add_header(text, e);
	case BODY: o->payload.text = text; return 0;
	case BODY_FILE: o->payload.file = text; return 0;
	case BODY_TEMPLATE: o->payload.template = text; return 0;
	case REQUESTS_FILE: o->payload.requests = text; return 0;
	case STREAM: return set_stream(text, e);
	case HTTP: return set_version(text, e);
	case UNIX_SOCKET: o->client.unix_socket = text; return 0;
	case CACERT: o->client.ca_file = text; return 0;
	case INSECURE: o->client.is_insecure = true; return 0;
	case TIMEOUT: return program_number("--timeout-s", text, 1e-3, 1e6, &o->client.timeout, e);
	case THRESHOLD: return program_number("--threshold-s", text, 1e-9, 1e9, &o->threshold, e);
	case MAX_CONNECTIONS:
		return program_integer("--max-connections", text, 1, CLIENT_CONNECTIONS_MAX, &o->client.max_in_flight, e);
	default: settings_set(o->fields, name, text); return 0;
	}
}

/* Returns an exit status, or -1 to go on. */
static int
read_options(int argc, char **argv, struct error *e)
{
	struct options *o = &options;
	int option, index = 0;

	while ((option = getopt_long(argc, argv, "h", longopts, &index)) != -1) {
		if (option == 'h')
			return program_help(help);
		if (option == PROGRAM_OPTION_VERSION)
			return program_version();
		if (option == '?')
			return program_usage("expected the options that --help lists");
		if (set_option(option, longopts[index].name, optarg, e) < 0)
			return program_report(e);
	}
	if (optind + 1 != argc)
		return program_usage("expected one URL");
	if ((o->payload.text != NULL) + (o->payload.file != NULL) + (o->payload.template || o->payload.requests) > 1)
		return program_usage("expected one of --body, --body-file, and --body-template with --requests-file or either of them");
	if (!o->output_dir)
		o->output_dir = getenv("CS_TRIAL_DIR");
	if (o->output_dir && strcmp(o->output_dir, "-") == 0)
		o->output_dir = NULL;
	o->client.url = argv[optind];
	o->client.has_body = o->payload.text || o->payload.file || o->payload.template || o->payload.requests || o->payload.is_chat;
	if (o->client.unix_socket && strlen(o->client.unix_socket) >= sizeof ((struct sockaddr_un *)NULL)->sun_path)
		return program_usage("--unix-socket: the path is longer than sockets have");
	if (o->client.has_body && !headers_have(&o->client.headers, "Content-Type"))
		headers_add(&o->client.headers, "Content-Type: application/json");
	return -1;
}

/* Bounds the connections by the files that the process may open. */
static void
bound_connections(void)
{
	long most = client_most_connections(), *wanted = &options.client.max_in_flight;

	if (*wanted > most)
		program_warn("no more than %ld connections, since no more files may be open (ulimit -n)", most);
	if (*wanted == 0 || *wanted > most)
		*wanted = most;
}

/* What a person wants to know, on stderr. */
static void
tell(const struct load *l, const char *limit)
{
	program_warn("%" PRIu64 " requests in %.3g s, %" PRIu64 " failed; sent %.3g ms late at the median, %.3g ms at q0.99",
	    l->num_successful + l->num_failed, l->elapsed, l->num_failed, lateness_quantile(&l->lateness, 0.5) * 1e3,
	    lateness_quantile(&l->lateness, 0.99) * 1e3);
	for (int i = 0; i < LOAD_CAUSES && l->causes[i].count > 0; i++)
		program_warn("%" PRIu64 " times: %s", l->causes[i].count, l->causes[i].text);
	if (l->num_failed_warmups > 0)
		program_warn("%" PRIu64 " of the warm-up requests failed", l->num_failed_warmups);
	if (limit)
		program_warn("limited by the load generator: %s", limit);
}

/* With all that a run needs at hand. */
static int
run(struct load *l, struct error *e)
{
	char *limit;
	int status = load_run(l, e);

	if (rows_close(l->rows, e) < 0)
		status = -1;
	l->rows = NULL;
	if (status < 0)
		return -1;
	limit = load_limit(l);
	tell(l, limit);
	if (options.output_dir)
		status = load_publish(l, limit, options.output_dir, e);
	free(limit);
	return status;
}

/* Requests per second; a trace has no rate. */
static double
read_rate(struct settings *s)
{
	const char *type = settings_text(s, "interval_type"), *generator = settings_text(s, "request_generator_type");
	bool is_trace = strcmp(type, "trace") == 0 || strcmp(generator, "trace") == 0;

	if (!settings_is_given(s, "qps") && !is_trace)
		settings_fault(s, "qps", "missing; expected a number of requests per second");
	return settings_number(s, "qps", 1e-4, RATE_MAX);
}

static void
load(struct settings *s, struct workload *w, struct error *e)
{
	struct load *l = memory_alloc(1, sizeof *l);

	*l = (struct load){ .workload = w, .timeout = options.client.timeout, .threshold = options.threshold };
	options.payload.model = settings_text(s, "model");
	options.payload.seed = (uint64_t)settings_integer(s, "seed", 0, INT64_MAX);
	if (!settings_is_null(s, "num_warmup_requests"))
		l->num_warmups = settings_integer(s, "num_warmup_requests", 0, WORKLOAD_REQUESTS_MAX);
	l->payload = payload_new(&options.payload, e);
	if (!error_is_set(e))
		l->client = client_new(&options.client, e);
	if (l->client)
		l->rows = options.output_dir ? rows_open(options.output_dir, "request_metrics.csv", LOAD_HEADER, e)
		    : rows_open_output(LOAD_HEADER, e);
	if (l->rows)
		run(l, e);
	client_free(l->client);
	payload_free(l->payload);
	free(l);
}

int
main(int argc, char **argv)
{
	struct error e = ERROR_NONE;
	struct settings *settings;
	struct workload workload;
	int status;

	program_start("cs-load");
	options.fields = json_object_new_object();
	if ((status = read_options(argc, argv, &e)) >= 0)
		return status;
	prctl(PR_SET_TIMERSLACK, 1UL); /* ns: waits end when they should */
	bound_connections();
	settings = settings_read_over(options.config, options.fields, &e);
	if (settings) {
		workload_init(&workload, settings, read_rate(settings), &e);
		load(settings, &workload, &e);
		workload_free(&workload);
	}
	settings_free(settings);
	json_object_put(options.fields);
	headers_free(&options.client.headers);
	if (error_is_set(&e))
		return program_report(&e);
	return program_finish(0);
}
