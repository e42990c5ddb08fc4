/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings that the user knows: lines "id[:class] [in FUNCTION] [at FILE[:LINE]] [comm NAME]", with
 * shell patterns for names. A finding is known only if each rank that causes it is: a line must fit
 * the finding's id and class, and every row of that rank. So nothing new hides behind what is
 * known. Pure but for the file. */
#ifndef ORK_REPORT_SUPPRESS_H
#define ORK_REPORT_SUPPRESS_H

#include "report/report.h"

#define ORK_SUPPRESS_ERROR 512u

struct ork_suppress;

/* Lines of a text; `name` stands for it in a sentence. *out is the caller's. ORK_INVALID: error
 * holds a sentence with the line's number. ORK_NOMEM. */
enum ork_status ork_suppress_parse(const char *name, const char *text, struct ork_suppress **out,
                                   char error[ORK_SUPPRESS_ERROR]);
/* Those of a file; also ORK_INVALID where it cannot be read. */
enum ork_status ork_suppress_load(const char *path, struct ork_suppress **out,
                                  char error[ORK_SUPPRESS_ERROR]);
/* NULL is allowed. */
void ork_suppress_destroy(struct ork_suppress *suppress);

/* NULL, or memory that is short, suppresses nothing. A line that helps to suppress the finding
 * counts as used from then on. */
bool ork_suppress_matches(struct ork_suppress *suppress, const struct ork_finding *finding);

/* A sentence on the lines that were not used; *sentence is the caller's, NULL if there are none.
 * `suppress` may be NULL. ORK_NOMEM. */
enum ork_status ork_suppress_unused(const struct ork_suppress *suppress, char **sentence);

/* Why `lines`, put into a list of suppressions, do not hide this finding from every run: a
 * sentence, the caller's. *sentence is NULL if they do. ORK_NOMEM. */
enum ork_status ork_suppress_doubt(const char *lines, const struct ork_finding *finding,
                                   char **sentence);

/* The lines that suppress this finding, the caller's; a comment for each rank that no line can
 * name. NULL: out of memory. */
char *ork_suppress_lines(const struct ork_finding *finding);

#endif
