#include "dial.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

int
dial_start(const struct addrinfo **address, bool *is_connected)
{
	int on = 1;

	for (const struct addrinfo *a = *address; a; a = a->ai_next) {
		int fd = socket(a->ai_family, a->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, a->ai_protocol), kept;

		if (fd < 0)
			return -1;
		if (a->ai_family != AF_UNIX)
			setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
		*is_connected = connect(fd, a->ai_addr, a->ai_addrlen) == 0;
		if (*is_connected || errno == EINPROGRESS) {
			*address = a;
			return fd;
		}
		kept = errno;
		close(fd);
		errno = kept;
	}
	return -1;
}

int
dial_error(int fd)
{
	int error = 0;
	socklen_t size = sizeof error;

	getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
	return error;
}
