/* SPDX-License-Identifier: BSD-3-Clause */
/* Which findings fail a run: a list of words, as --must:errors has it.
 *     errors     all of severity error
 *     warnings   these, and all of severity warning
 *     none       no finding
 *     ID         all with this id, "lost-message"; with a class: "deadlock:potential"
 *     not-checked  a run of which nothing could be checked (no finding) */
#ifndef ORK_REPORT_FAILING_H
#define ORK_REPORT_FAILING_H

#include "report/report.h"

#define ORK_NOT_CHECKED "not-checked"

/* The first word of the list that is none of these; NULL: there is none. *length: its length. */
const char *ork_failing_unknown(const char *list, size_t *length);

/* Does a finding with this id, class and severity fail a run? */
bool ork_failing_has(const char *list, const char *id, enum ork_class class_,
                     enum ork_severity severity);

/* Is the word in the list? */
bool ork_failing_names(const char *list, const char *word);

#endif
