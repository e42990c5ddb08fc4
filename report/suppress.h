/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings to suppress: lines "id[:class] [in FUNCTION] [at FILE[:LINE]] [comm NAME] [since DATE]
 * [because REASON]", with shell patterns for names. The last two are for who reads the file. A
 * finding is suppressed only if every rank that causes it is covered: a line must fit the finding's
 * id and class, and every row of that rank. So a known finding never hides a new one. Pure except
 * for the file. */
#ifndef ORK_REPORT_SUPPRESS_H
#define ORK_REPORT_SUPPRESS_H

#include "report/report.h"

#define ORK_SUPPRESS_ERROR 512u

struct ork_suppress;

/* Parse the lines of a text; `name` is its name in a sentence. *out is the caller's. ORK_INVALID:
 * *error is a sentence with the line's number. ORK_NOMEM. */
enum ork_status ork_suppress_parse(const char *name, const char *text, struct ork_suppress **out,
                                   char error[ORK_SUPPRESS_ERROR]);
/* The same for a file; also ORK_INVALID if it cannot be read. */
enum ork_status ork_suppress_load(const char *path, struct ork_suppress **out,
                                  char error[ORK_SUPPRESS_ERROR]);
/* NULL is allowed. */
void ork_suppress_destroy(struct ork_suppress *suppress);

/* Returns false for NULL, or if out of memory. A line that helps to suppress the finding counts as
 * used from then on. */
bool ork_suppress_matches(struct ork_suppress *suppress, const struct ork_finding *finding);

/* A sentence about the unused lines, with their dates and reasons; *sentence is the caller's, NULL
 * if all were used. `suppress` may be NULL. ORK_NOMEM. */
enum ork_status ork_suppress_unused(const struct ork_suppress *suppress, char **sentence);

/* Why `lines`, in a file of suppressions, do not hide this finding in every run: a sentence, the
 * caller's. *sentence is NULL if they do. ORK_NOMEM. */
enum ork_status ork_suppress_doubt(const char *lines, const struct ork_finding *finding,
                                   char **sentence);

/* The lines that suppress this finding, the caller's; a comment for each rank that no line can
 * name. They carry a date ("2026-11-30") and a reason, if these are not NULL. NULL: out of memory.
 */
char *ork_suppress_lines(const struct ork_finding *finding, const char *since, const char *reason);

/* Today, as `since` has it. */
enum { ORK_SUPPRESS_DATE = 11 };
void ork_suppress_today(char date[ORK_SUPPRESS_DATE]);

#endif
