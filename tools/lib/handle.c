#include "handle.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "installation.h"
#include "memory.h"

static void
break_off(struct slot *s, const char *fault)
{
	if (!s->fault)
		s->fault = fault;
}

/* 100 Continue and the like are no answer yet. */
static bool
is_interim(const char *line, size_t size)
{
	const char *blank = memchr(line, ' ', size);

	return size < 5 || memcmp(line, "HTTP/", 5) != 0 || (blank && blank + 1 < line + size && blank[1] == '1');
}

static size_t
take_header(char *bytes, size_t size, size_t count, void *data)
{
	struct slot *s = data;

	size *= count;
	s->header_bytes += size;
	if (s->header_bytes > CLIENT_HEADERS_MAX) {
		break_off(s, "headers too long");
		return 0;
	}
	if (s->exchange.first_byte == 0 && !is_interim(bytes, size))
		s->exchange.first_byte = clock_now();
	return size;
}

static size_t
take_body(char *bytes, size_t size, size_t count, void *data)
{
	struct slot *s = data;

	size *= count;
	if (s->client->options.is_stream) {
		stream_read(&s->exchange.stream, bytes, size, clock_now());
		if (s->exchange.stream.fault) {
			break_off(s, s->exchange.stream.fault);
			return 0;
		}
	}
	return size;
}

static curl_socket_t
open_socket(void *data, curlsocktype purpose, struct curl_sockaddr *address)
{
	struct slot *s = data;
	int fd = socket(address->family, address->socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address->protocol);

	(void)purpose;
	if (fd < 0)
		s->socket_errno = errno;
	else
		s->client->connections++;
	return fd < 0 ? CURL_SOCKET_BAD : fd;
}

/* The kernel forgets a closed socket by itself. */
static int
close_socket(void *data, curl_socket_t fd)
{
	*client_watch(data, fd) = (struct watch){ 0 };
	return close(fd);
}

/* What all requests have in common; set once. */
static void
set_up_method(const struct client_options *o, CURL *easy)
{
	if (o->has_body)
		curl_easy_setopt(easy, CURLOPT_POST, 1L);
	if (o->method && strcmp(o->method, "HEAD") == 0)
		curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
	else if (o->method && strcmp(o->method, o->has_body ? "POST" : "GET") != 0)
		curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, o->method);
}

static void
set_up_callbacks(struct slot *s)
{
	CURL *easy = s->easy;

	curl_easy_setopt(easy, CURLOPT_PRIVATE, s);
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, s->text);
	curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
	curl_easy_setopt(easy, CURLOPT_HEADERDATA, s);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, s);
	curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
	curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, s);
	curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
	curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, s->client);
}

bool
handle_is_single_use(const struct client_options *o)
{
	return o->version == CLIENT_HTTP_2_PRIOR_KNOWLEDGE && curl_version_info(CURLVERSION_NOW)->version_num < 0x080100;
}

void
handle_make(struct slot *s)
{
	static const long versions[] = { CURL_HTTP_VERSION_1_1, CURL_HTTP_VERSION_2_0, CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE };
	const struct client *c = s->client;
	const struct client_options *o = &c->options;

	s->easy = curl_easy_init();
	if (!s->easy)
		memory_exhausted();
	curl_easy_setopt(s->easy, CURLOPT_URL, o->url);
	curl_easy_setopt(s->easy, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(s->easy, CURLOPT_PROXY, "");
	curl_easy_setopt(s->easy, CURLOPT_USERAGENT, "cs-load/" INSTALLATION_VERSION);
	curl_easy_setopt(s->easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(s->easy, CURLOPT_HTTP_VERSION, versions[o->version]);
	curl_easy_setopt(s->easy, CURLOPT_HTTPHEADER, c->headers);
	curl_easy_setopt(s->easy, CURLOPT_RESOLVE, c->names);
	curl_easy_setopt(s->easy, CURLOPT_UNIX_SOCKET_PATH, o->unix_socket);
	curl_easy_setopt(s->easy, CURLOPT_CONNECTTIMEOUT_MS, (long)(o->timeout * 1e3) + 1000);
	if (handle_is_single_use(o))
		curl_easy_setopt(s->easy, CURLOPT_FORBID_REUSE, 1L);
	else if (o->version != CLIENT_HTTP_1_1)
		curl_easy_setopt(s->easy, CURLOPT_PIPEWAIT, 1L);
	if (o->ca_file)
		curl_easy_setopt(s->easy, CURLOPT_CAINFO, o->ca_file);
	if (o->is_insecure) {
		curl_easy_setopt(s->easy, CURLOPT_SSL_VERIFYPEER, 0L);
		curl_easy_setopt(s->easy, CURLOPT_SSL_VERIFYHOST, 0L);
	}
	set_up_method(o, s->easy);
	set_up_callbacks(s);
}

void
handle_free(struct slot *s)
{
	curl_easy_cleanup(s->easy);
}

void
handle_prepare(struct slot *s)
{
	const struct exchange *x = &s->exchange;

	s->header_bytes = 0;
	s->socket_errno = 0;
	s->text[0] = '\0';
	if (s->is_again)
		curl_easy_setopt(s->easy, CURLOPT_FRESH_CONNECT, 0L);
	s->is_again = false;
	if (!s->client->options.has_body)
		return;
	curl_easy_setopt(s->easy, CURLOPT_POSTFIELDS, x->body ? x->body : x->own_body.bytes);
	curl_easy_setopt(s->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)(x->body ? x->body_size : x->own_body.size));
}

/* Whether a kept connection was closed just before it was used again; libcurl itself tries again after some of these only. */
static bool
is_stale(const struct slot *s, CURLcode code)
{
	long connects = 0;

	curl_easy_getinfo(s->easy, CURLINFO_NUM_CONNECTS, &connects);
	return connects == 0 && s->header_bytes == 0 && !s->is_again && !s->fault &&
	    (code == CURLE_RECV_ERROR || code == CURLE_SEND_ERROR || code == CURLE_GOT_NOTHING);
}

bool
handle_is_again(struct slot *s, CURLcode code)
{
	if (!is_stale(s, code))
		return false;
	s->is_again = true;
	curl_easy_setopt(s->easy, CURLOPT_FRESH_CONNECT, 1L);
	return true;
}

/* Why libcurl gave up, in words that are the same for the same cause. */
static void
say_code(struct slot *s, CURLcode code)
{
	long number = s->socket_errno;

	if (!number)
		curl_easy_getinfo(s->easy, CURLINFO_OS_ERRNO, &number);
	if (s->fault)
		slot_fail(s, s->fault, s->exchange.stream.fault ? s->exchange.stream.chunk.message : "");
	else if (code == CURLE_COULDNT_CONNECT)
		slot_fail(s, "cannot connect", number ? strerror((int)number) : "");
	else if (code == CURLE_GOT_NOTHING)
		slot_fail(s, "closed without an answer", "");
	else if (code == CURLE_PARTIAL_FILE)
		slot_fail(s, "answer cut off", "");
	else if (code == CURLE_OUT_OF_MEMORY && s->exchange.first_byte > 0) /* as libcurl has it */
		slot_fail(s, "headers too long", "");
	else if (code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_WEIRD_SERVER_REPLY)
		slot_fail(s, "answer is not HTTP", "");
	else if (code == CURLE_HTTP2_STREAM)
		slot_fail(s, "HTTP/2 stream failed", "");
	else
		slot_fail(s, *s->text ? s->text : curl_easy_strerror(code), "");
	s->exchange.is_own_fault = code == CURLE_COULDNT_CONNECT && slot_is_scarcity((int)number);
}

void
handle_judge(struct slot *s, CURLcode code)
{
	struct exchange *x = &s->exchange;
	curl_off_t sent = 0;

	x->end = clock_now();
	curl_easy_getinfo(s->easy, CURLINFO_RESPONSE_CODE, &x->status);
	curl_easy_getinfo(s->easy, CURLINFO_PRETRANSFER_TIME_T, &sent);
	x->sent = sent > 0 ? fmax(x->handed, x->sent + (double)sent / 1e6) : 0;
	if (code == CURLE_OK)
		slot_judge(s);
	else
		say_code(s, code);
}
