#include "program.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include "installation.h"
#include "number.h"

static const char *program = "capacity-search";

void
program_start(const char *name)
{
	program = name;
	signal(SIGPIPE, SIG_IGN);
}

void
program_fill_descriptors(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	close(fd);
}

int
program_report(struct error *e)
{
	int status = e->status;

	for (const char *p = e->text; p && *p;) {
		size_t n = strcspn(p, "\n");

		fprintf(stderr, "%s: %.*s\n", program, (int)n, p);
		p += n + (p[n] == '\n');
	}
	error_clear(e);
	return status;
}

void
program_warn(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: ", program);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

int
program_usage(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "%s: ", program);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "\nTry '%s --help'.\n", program);
	return EX_USAGE;
}

int
program_help(const char *text)
{
	fputs(text, stdout);
	return program_finish(0);
}

int
program_version(void)
{
	printf("%s (capacity-search) %s\n", program, INSTALLATION_VERSION);
	return program_finish(0);
}

int
program_finish(int status)
{
	int failed = ferror(stdout);

	if (fclose(stdout) != 0 || failed) {
		fprintf(stderr, "%s: standard output: cannot write all of the result\n", program);
		return status < EX__BASE ? EX_IOERR : status;
	}
	return status;
}

int
program_number(const char *option, const char *text, double low, double high, double *value, struct error *e)
{
	double v;

	if (!number_parse(text, &v) || v < low || v > high)
		return error_add(e, EX_USAGE, NULL, 0, "%s: '%s' will not do; expected a number from %g to %g",
		    option, text, low, high);
	*value = v;
	return 0;
}

int
program_integer(const char *option, const char *text, long low, long high, long *value, struct error *e)
{
	if (!number_parse_integer(text, low, high, value))
		return error_add(e, EX_USAGE, NULL, 0, "%s: '%s' will not do; expected a whole number from %ld to %ld",
		    option, text, low, high);
	return 0;
}
