/* The files that a trial's config and harness name: a finished trial does not know when they change. */
#ifndef INPUT_H
#define INPUT_H

struct trial;

/*
 * A file that is newer than the trial's results: a word of the harness' command with a slash in it, or the value of
 * "script" or of a "..._file" in the config (to be freed). NULL if there is none.
 */
char *input_newer_than_results(const struct trial *trial);

#endif
