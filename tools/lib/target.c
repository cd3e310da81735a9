#include "target.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sysexits.h>

#include "memory.h"

/* A part of URL (to be freed); "" where it has none. */
static char *
part_of(CURLU *url, CURLUPart part, unsigned flags)
{
	char *found = NULL, *copy;

	if (curl_url_get(url, part, &found, flags) != CURLUE_OK)
		return memory_string("");
	copy = memory_string(found);
	curl_free(found);
	return copy;
}

int
target_read(const char *text, struct target *t, struct error *e)
{
	CURLU *url = curl_url();
	bool is_url = curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK;
	char *scheme = part_of(url, CURLUPART_SCHEME, 0), *own_port = part_of(url, CURLUPART_PORT, 0);
	char *user = part_of(url, CURLUPART_USER, 0);
	char *path = part_of(url, CURLUPART_PATH, 0), *query = part_of(url, CURLUPART_QUERY, 0);
	char *texts[] = { scheme, own_port, user, path, query };

	*t = (struct target){ .host = part_of(url, CURLUPART_HOST, 0), .port = part_of(url, CURLUPART_PORT, CURLU_DEFAULT_PORT) };
	t->name = memory_format("%s%s%s", t->host, *own_port ? ":" : "", own_port);
	t->path = memory_format("%s%s%s", path, *query ? "?" : "", query);
	t->is_tls = strcmp(scheme, "https") == 0;
	t->has_user = *user != '\0';
	is_url = is_url && (t->is_tls || strcmp(scheme, "http") == 0);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		free(texts[i]);
	curl_url_cleanup(url);
	return is_url ? 0 : error_add(e, EX_USAGE, NULL, 0,
	    "'%s' will not do; expected a URL that begins with http:// or https://", text);
}

int
target_find(struct target *t, struct error *e)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	char *bare = memory_string(t->host + (*t->host == '['));
	int status;

	bare[strcspn(bare, "]")] = '\0';
	status = getaddrinfo(bare, t->port, &hints, &t->addresses);
	free(bare);
	if (status != 0)
		return error_add(e, EX_UNAVAILABLE, NULL, 0, "%s: cannot find the host: %s", t->host, gai_strerror(status));
	return 0;
}

void
target_set_socket(struct target *t, const char *path)
{
	struct local {
		struct addrinfo info;
		struct sockaddr_un address;
	} *local = memory_alloc(1, sizeof *local);

	local->address.sun_family = AF_UNIX;
	snprintf(local->address.sun_path, sizeof local->address.sun_path, "%s", path);
	local->info = (struct addrinfo){ .ai_family = AF_UNIX, .ai_socktype = SOCK_STREAM,
		.ai_addr = (struct sockaddr *)&local->address, .ai_addrlen = sizeof local->address };
	t->addresses = &local->info;
	t->is_local = true;
}

char *
target_resolution(const struct target *t)
{
	char *text, *shorter;

	if (t->is_local || *t->host == '[')
		return NULL;
	text = memory_format("%s:%s:", t->host, t->port);
	for (struct addrinfo *a = t->addresses; a; a = a->ai_next) {
		char address[NI_MAXHOST];

		if (getnameinfo(a->ai_addr, a->ai_addrlen, address, sizeof address, NULL, 0, NI_NUMERICHOST) != 0)
			continue;
		shorter = text;
		text = memory_format("%s%s%s", shorter, a == t->addresses ? "" : ",", address);
		free(shorter);
	}
	return text;
}

void
target_free(struct target *t)
{
	free(t->host);
	free(t->port);
	free(t->name);
	free(t->path);
	if (t->is_local)
		free(t->addresses);
	else if (t->addresses)
		freeaddrinfo(t->addresses);
	*t = (struct target){ 0 };
}
