/* Where this installation keeps its programs and data: beside the running program, in build/ and under any PREFIX. */
#ifndef INSTALLATION_H
#define INSTALLATION_H

#define INSTALLATION_VERSION "0.1.0"

/* The directory of the running program, links resolved (to be freed). */
char *installation_bin(void);

/* NAME below share/capacity-search beside that directory, or the directory itself for "" (to be freed). */
char *installation_share(const char *name);

/*
 * The harness file NAME (with SUFFIX, say ".tsv", or ""): from the directories of CS_HARNESS_PATH,
 * colons between them, then from the installation (to be freed). NULL if there is none.
 */
char *installation_harness(const char *name, const char *suffix);

#endif
