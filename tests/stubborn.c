/*
 * Processes for tests that are hard to get rid of.
 *
 * stubborn FILE: goes into the background in a session of its own, without its parent, ignores TERM,
 * INT and HUP, listens on a free port of 127.0.0.1, or on STUBBORN_PORT, and writes "PID PORT" to FILE.
 * stubborn -s FILE: starts a successor in a session of its own and ends, and so on, until there is FILE, or for a
 * minute, so that a test killed in the middle leaves no such line on the machine.
 * stubborn -c PORT: exits 0 if nothing listens on PORT.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Listens on PORT (0: any), and says on which; -1 if it cannot. */
static int
listen_on(int port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((unsigned short)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof address;
	int fd = socket(AF_INET, SOCK_STREAM, 0), yes = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
	if (bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, 8) != 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &size) != 0)
		return -1;
	return ntohs(address.sin_port);
}

static int
serve(const char *file)
{
	char temporary[4096];
	const char *port = getenv("STUBBORN_PORT");
	FILE *f;

	snprintf(temporary, sizeof temporary, "%s.tmp", file);
	f = fopen(temporary, "w");
	if (!f)
		return 1;
	fprintf(f, "%ld %d\n", (long)getpid(), listen_on(port ? atoi(port) : 0));
	if (fclose(f) != 0 || rename(temporary, file) != 0)
		return 1;
	for (;;)
		pause();
}

/* Ends after itself, once and for all, when there is FILE or a minute is over. */
static int
succeed(const char *file)
{
	time_t end = time(NULL) + 60;

	while (access(file, F_OK) != 0 && time(NULL) < end) {
		if (fork() > 0)
			_exit(0);
		setsid();
	}
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "-c") == 0)
		return listen_on(atoi(argv[2])) < 0;
	if ((argc == 3) != (argc > 1 && strcmp(argv[1], "-s") == 0) || argc < 2)
		return 1;
	if (fork() != 0)
		_exit(0);
	setsid();
	if (fork() != 0)
		_exit(0);
	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	return argc == 3 ? succeed(argv[2]) : serve(argv[1]);
}
