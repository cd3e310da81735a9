/* Where links of a page have to lead. */
#ifndef LINK_H
#define LINK_H

/*
 * The path, relative to the directory of the file that FD is open on, of DIRECTORY; DIRECTORY as it is given if FD is open on
 * no file that has a name, a pipe say: then links start where the program runs. To be freed.
 */
char *link_to_directory(int fd, const char *directory);

#endif
