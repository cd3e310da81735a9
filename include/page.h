/*
 * The results of an output directory as one HTML file for people: all in it, no script, nothing that a browser would fetch. The style
 * comes from share/capacity-search/report/page.css of the installation.
 */
#ifndef PAGE_H
#define PAGE_H

#include <stdio.h>

#include "results.h"

/*
 * Writes the page; LINK is the path of the output directory relative to where the page will be. Rules or a style sheet that cannot be
 * read: EX_NOINPUT, EX_IOERR, EX_DATAERR before anything is written. Returns 0 or -1; write errors stay in F.
 */
int page_print(const struct results *results, const char *link, FILE *f, struct error *e);

#endif
