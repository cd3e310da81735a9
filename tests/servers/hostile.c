/*
 * A server for tests that does to clients what the path of a request says; a thread for each connection.
 * hostile FILE [LOG]: listens on a free port of 127.0.0.1, writes the port to FILE once it does, and a line
 * "METHOD PATH HEADER-BYTES BODY" for each request to LOG. It ends when its standard input does.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { REQUEST_MAX = 1 << 16 };

struct request {
	char bytes[REQUEST_MAX + 1];
	char method[16], path[256];
	size_t header_size, body_size;
	const char *body;
};

static FILE *log_file;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER, service = PTHREAD_MUTEX_INITIALIZER;

/* False when the client is gone. */
static bool
put(int fd, const char *text)
{
	size_t size = strlen(text);

	while (size > 0) {
		ssize_t n = send(fd, text, size, MSG_NOSIGNAL);

		if (n <= 0)
			return false;
		text += n;
		size -= (size_t)n;
	}
	return true;
}

/* Reads the whole of one request; false at the end. */
static bool
read_request(int fd, struct request *r)
{
	size_t size = 0, expected = SIZE_MAX;

	memset(r->bytes, 0, sizeof r->bytes);
	while (size < expected) {
		ssize_t n = read(fd, r->bytes + size, REQUEST_MAX - size);
		char *blank, *length;

		if (n <= 0)
			return false;
		size += (size_t)n;
		if (expected != SIZE_MAX || !(blank = strstr(r->bytes, "\r\n\r\n")))
			continue;
		r->header_size = (size_t)(blank + 4 - r->bytes);
		r->body = blank + 4;
		length = strcasestr(r->bytes, "\r\nContent-Length:");
		r->body_size = length && length < blank ? strtoul(length + 17, NULL, 10) : 0;
		expected = r->header_size + r->body_size;
	}
	return sscanf(r->bytes, "%15s %255s", r->method, r->path) == 2;
}

static void
log_request(const struct request *r)
{
	if (!log_file)
		return;
	pthread_mutex_lock(&log_lock);
	fprintf(log_file, "%s %s %zu %.*s\n", r->method, r->path, r->header_size, (int)r->body_size, r->body);
	fflush(log_file);
	pthread_mutex_unlock(&log_lock);
}

static void
put_endlessly(int fd, const char *start, const char *again, useconds_t pause)
{
	bool there = put(fd, start);

	while (there) {
		there = put(fd, again);
		usleep(pause);
	}
}

/* One event of 100 MB. */
static void
put_large_event(int fd)
{
	static char block[1 << 16];

	memset(block, 'x', sizeof block - 1);
	if (put(fd, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {\"choices\":[{\"delta\":{\"content\":\""))
		for (int i = 0; i < 1600 && put(fd, block); i++)
			;
	put(fd, "\"}}]}\n\ndata: [DONE]\n\n");
}

#define STREAM_HEAD "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
#define CHUNK(text) "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" text "\"},\"finish_reason\":null}]}\n\n"
#define ROLE "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n"
#define USAGE(prompt, completion) "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":" prompt ",\"completion_tokens\":" completion "}}\n\n"
#define FINISH(reason) "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"" reason "\"}]}\n\n"
#define TOOL(list) "data: {\"choices\":[{\"delta\":{\"content\":null,\"tool_calls\":[" list "]}}]}\n\n"
#define DONE "data: [DONE]\n\n"

/* The role at once, the first token after 200 ms, then one after 100 ms, and the usage after 100 ms more. */
static void
put_stream(int fd)
{
	put(fd, STREAM_HEAD ROLE);
	usleep(200000);
	put(fd, ": a comment\n" CHUNK("a \\\"b\\\""));
	usleep(100000);
	put(fd, CHUNK("c d e"));
	usleep(100000);
	put(fd, USAGE("7", "5") DONE);
}

/* A stream with all that one may have, in which each byte comes by itself: a chunk of HTTP of its own. */
static void
put_stream_in_bytes(int fd)
{
	static const char stream[] = ": a comment\r\n\r\nid: 1\r\nevent: message\r\n" ROLE ":\n"
	    CHUNK("\\u00e9\\\"}]}\303\251") "retry: 5\r\rdata:\ndata: {\"choices\": [{\"text\": \"b c\",\r\n"
	    "data: \"finish_reason\": null}]\r\ndata:}\r\n\r\n" FINISH("length") USAGE("7", "3") DONE;

	put(fd, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
	for (const char *byte = stream; *byte; byte++) {
		const char chunk[] = { '1', '\r', '\n', *byte, '\r', '\n', '\0' };

		put(fd, chunk);
		if (byte == stream + sizeof stream / 2)
			usleep(50000); /* between the two that have text */
	}
	put(fd, "0\r\n\r\n");
}

static const struct {
	const char *path, *answer; /* after which the connection is closed */
} answers[] = {
	{ "/close", "" },
	{ "/garbage", "\001\002 nothing like HTTP \377\r\n\r\n" },
	{ "/cut", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nfew" },
	{ "/cut-chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n" },
	{ "/503", "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n" },
	{ "/once", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" },
	{ "/302", "HTTP/1.1 302 Elsewhere\r\nLocation: /\r\nContent-Length: 0\r\n\r\n" },
	{ "/stream-cut", STREAM_HEAD CHUNK("a") CHUNK("b") },
	{ "/stream-error", STREAM_HEAD CHUNK("a") "data: {\"error\":{\"code\":500,\"message\":\"out, of \\\"memory\"}}\n\n" DONE },
	{ "/stream-event-error", STREAM_HEAD CHUNK("a") "event: error\ndata: oops\n\n" DONE },
	{ "/stream-abort", STREAM_HEAD CHUNK("a") CHUNK("b") FINISH("abort") USAGE("7", "2") DONE },
	{ "/stream-tool", STREAM_HEAD ROLE TOOL("") TOOL("{\"function\":{\"arguments\":\"x\"}}") FINISH("tool_calls") DONE },
	{ "/stream-no-tool", STREAM_HEAD ROLE TOOL("") FINISH("stop") DONE },
	{ "/stream-garbage", STREAM_HEAD "data: {\"choices\": nonsense\n\n" DONE },
	{ "/stream-empty", STREAM_HEAD ROLE DONE },
	{ "/stream-json", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"error\": {\"message\": \"no such model\"}}" },
	{ "/stream-text", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
	    "data:{\"choices\":[{\"text\":\"a\"}],\"usage\":null}\r\n\r\ndata:{\"choices\":[{\"text\":\"b\",\r\n"
	    "data:\"finish_reason\":\"stop\"}]}\r\n\r\n" },
};

/* Whether the connection can be used again. */
static bool
answer(int fd, const struct request *r)
{
	const struct linger none = { 1, 0 };

	for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
		if (strcmp(r->path, answers[i].path) == 0)
			return put(fd, answers[i].answer) && false;
	if (strcmp(r->path, "/never") == 0)
		pause();
	else if (strcmp(r->path, "/drip") == 0)
		put_endlessly(fd, "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", "x", 1000000);
	else if (strcmp(r->path, "/headers") == 0)
		put_endlessly(fd, "HTTP/1.1 200 OK\r\n", "X-More: and more and more and more and more and more\r\n", 0);
	else if (strcmp(r->path, "/header") == 0)
		put_endlessly(fd, "HTTP/1.1 200 OK\r\nX-Long: ", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 0);
	else if (strcmp(r->path, "/interim") == 0)
		put_endlessly(fd, "", "HTTP/1.1 100 Continue\r\n\r\n", 0);
	else if (strcmp(r->path, "/body") == 0)
		put_endlessly(fd, "HTTP/1.1 200 OK\r\n\r\n", "more and more and more and more and more and more\n", 0);
	else if (strcmp(r->path, "/event") == 0)
		put_large_event(fd);
	else if (strcmp(r->path, "/reset") == 0)
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
	else if (strcmp(r->path, "/stream") == 0)
		put_stream(fd);
	else if (strcmp(r->path, "/stream-bytes") == 0)
		put_stream_in_bytes(fd);
	else if (strcmp(r->path, "/serial") == 0) {
		pthread_mutex_lock(&service);
		usleep(50000);
		pthread_mutex_unlock(&service);
		return put(fd, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n");
	} else
		return put(fd, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n");
	return false;
}

static void *
serve(void *data)
{
	int fd = (int)(long)data;
	struct request *r = calloc(1, sizeof *r);

	while (r && read_request(fd, r)) {
		log_request(r);
		if (!answer(fd, r))
			break;
	}
	free(r);
	close(fd);
	return NULL;
}

/* Ends the server with its input: when the test is over, however it ends. */
static void *
wait_for_end(void *data)
{
	char byte;

	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	(void)data;
	exit(0);
}

int
main(int argc, char **argv)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof address;
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	pthread_t thread;
	FILE *port;

	if (argc < 2 || bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 512) != 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &size) != 0)
		return 1;
	log_file = argc > 2 ? fopen(argv[2], "w") : NULL;
	port = fopen(argv[1], "w");
	if (!port || fprintf(port, "%d\n", ntohs(address.sin_port)) < 0 || fclose(port) != 0)
		return 1;
	pthread_create(&thread, NULL, wait_for_end, NULL);
	for (;;) {
		int fd = accept(listener, NULL, NULL);

		if (fd >= 0 && pthread_create(&thread, NULL, serve, (void *)(long)fd) == 0)
			pthread_detach(thread);
	}
}
