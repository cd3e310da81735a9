#include "interrupt.h"

#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* Those that are not ignored. */
static sigset_t
wanted_signals(void)
{
	static const int wanted[] = { SIGTERM, SIGINT, SIGHUP };
	struct sigaction now;
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		if (sigaction(wanted[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
			sigaddset(&set, wanted[i]);
	return set;
}

int
interrupt_open(void)
{
	sigset_t set = wanted_signals();
	int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);

	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return fd;
}

void
interrupt_let_through(void)
{
	sigset_t set = wanted_signals();

	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int
interrupt_read(int interrupts)
{
	struct signalfd_siginfo info;

	return read(interrupts, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

int
interrupt_wait(int interrupts, int milliseconds)
{
	struct pollfd p = { .fd = interrupts, .events = POLLIN };

	poll(&p, 1, milliseconds);
	return interrupt_read(interrupts);
}
