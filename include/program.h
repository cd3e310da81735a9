/* What every program does the same way: name, usage, messages on stderr, a checked stdout. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "error.h"

/* Ends of usage lines that all share, for the option tables and the help texts. */
#define PROGRAM_HELP_LINES \
	"  -h, --help                       print this text\n" \
	"      --version                    print the version\n"

enum { PROGRAM_OPTION_VERSION = 1000 }; /* getopt_long's val for --version; -h is 'h' */

/* Sets the name that stands before messages, and ignores SIGPIPE so that a closed stdout is an error like others. */
void program_start(const char *name);

/* Opens /dev/null where descriptor 0, 1 or 2 is closed, so that no file of the program's becomes one of them. */
void program_fill_descriptors(void);

/* Prints "name: MESSAGE" for each message of E on stderr, frees E and returns its status. */
int program_report(struct error *e);

/* One message on stderr. */
void program_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* A message about how the program was called, then where to find help. Returns EX_USAGE. */
int program_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints the help text or the version on stdout and returns the exit status (program_finish(0)). */
int program_help(const char *text);
int program_version(void);

/* Closes stdout and returns STATUS, or EX_IOERR, with a message, if not all was written. */
int program_finish(int status);

/* Numbers in options: the whole word, within LOW and HIGH; EX_USAGE in E names the OPTION. Return 0 or -1. */
int program_number(const char *option, const char *text, double low, double high, double *value, struct error *e);
int program_integer(const char *option, const char *text, long low, long high, long *value, struct error *e);

#endif
