#include "terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "number.h"

enum { WIDTH = 80, WIDTH_MAX = 10000 };

size_t
terminal_width(int fd)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	long width;

	if (!isatty(fd))
		return 0;
	if (columns && number_parse_integer(columns, 1, WIDTH_MAX, &width))
		return (size_t)width;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return WIDTH;
}

size_t
terminal_height(int fd)
{
	struct winsize size;

	return isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 1 ? size.ws_row - 1u : 0;
}

bool
terminal_is_utf8(void)
{
	return setlocale(LC_CTYPE, "") && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}
