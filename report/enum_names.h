/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of the schema, and their text in a sentence. Static storage. */
#ifndef ORK_REPORT_ENUM_NAMES_H
#define ORK_REPORT_ENUM_NAMES_H

#include "report/report.h"

/* "error", "warning", "note". */
const char *ork_severity_word(enum ork_severity severity);
/* "manifest", ...; NULL for ORK_CLASS_NONE. */
const char *ork_class_word(enum ork_class class_);
/* "strict", "relaxed", "assumed"; NULL for ORK_BASIS_NONE. */
const char *ork_basis_word(enum ork_basis basis);
/* "signal", "exit", "error", "abort", "unknown"; NULL for ORK_AS_NONE. */
const char *ork_ended_as_word(enum ork_ended_as as);
/* "tool", "user"; NULL for ORK_ENDED_BY_ITSELF. */
const char *ork_ended_by_word(enum ork_ended_by by);
/* "new", "known"; NULL for ORK_BASELINE_NONE. */
const char *ork_baseline_word(enum ork_baseline_state baseline);
/* "going on", "inside", "outside"; NULL for ORK_AHEAD_NOT. */
const char *ork_ahead_word(enum ork_ahead ahead);
/* "rank", "term", "hub". */
const char *ork_node_kind_word(enum ork_node_kind kind);
/* Could nothing be looked at? Its first note says why. */
bool ork_report_is_unchecked(const struct ork_report *report);
/* "clean", "findings", "not-checked", "unknown" (not all was observed). */
const char *ork_verdict_word(const struct ork_report *report);
/* For a report without findings: "No findings", or less if not everything was observed. */
const char *ork_verdict_sentence(const struct ork_report *report);
/* Why findings may be missing, without a full stop; NULL: none is, or nothing was checked. */
const char *ork_incomplete_words(const struct ork_report *report);

#endif
