/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/enum_names.h"

#include "report/unlisted.h"

const char *ork_severity_word(enum ork_severity severity)
{
    static const char *const word[] = {
        [ORK_ERROR] = "error", [ORK_WARNING] = "warning", [ORK_NOTE] = "note"};

    return word[severity];
}

const char *ork_class_word(enum ork_class class_)
{
    static const char *const word[] = {[ORK_CLASS_NONE] = NULL,
                                       [ORK_MANIFEST] = "manifest",
                                       [ORK_POTENTIAL] = "potential",
                                       [ORK_INTERLEAVING] = "interleaving",
                                       [ORK_SUSPECTED] = "suspected"};

    return word[class_];
}

const char *ork_basis_word(enum ork_basis basis)
{
    static const char *const word[] = {[ORK_BASIS_NONE] = NULL,
                                       [ORK_BASIS_STRICT] = "strict",
                                       [ORK_BASIS_RELAXED] = "relaxed",
                                       [ORK_BASIS_ASSUMED] = "assumed"};

    return word[basis];
}

const char *ork_ended_as_word(enum ork_ended_as as)
{
    static const char *const word[] = {
        [ORK_AS_NONE] = NULL,     [ORK_AS_SIGNAL] = "signal", [ORK_AS_EXIT] = "exit",
        [ORK_AS_ERROR] = "error", [ORK_AS_ABORT] = "abort",   [ORK_AS_UNKNOWN] = "unknown"};

    return word[as];
}

const char *ork_ended_by_word(enum ork_ended_by by)
{
    static const char *const word[] = {
        [ORK_ENDED_BY_ITSELF] = NULL, [ORK_ENDED_BY_TOOL] = "tool", [ORK_ENDED_BY_USER] = "user"};

    return word[by];
}

const char *ork_baseline_word(enum ork_baseline_state baseline)
{
    static const char *const word[] = {
        [ORK_BASELINE_NONE] = NULL, [ORK_BASELINE_NEW] = "new", [ORK_BASELINE_KNOWN] = "known"};

    return word[baseline];
}

const char *ork_ahead_word(enum ork_ahead ahead)
{
    static const char *const word[] = {[ORK_AHEAD_NOT] = NULL,
                                       [ORK_AHEAD_GOES] = "going on",
                                       [ORK_AHEAD_INSIDE] = "inside",
                                       [ORK_AHEAD_AFTER] = "outside"};

    return word[ahead];
}

const char *ork_node_kind_word(enum ork_node_kind kind)
{
    static const char *const word[] = {
        [ORK_NODE_RANK] = "rank", [ORK_NODE_TERM] = "term", [ORK_NODE_HUB] = "hub"};

    return word[kind];
}

/* RATIONALE: a warning may say why nothing was observed. */
bool ork_report_is_unchecked(const struct ork_report *report)
{
    if (ork_report_count(report, ORK_ERROR) > 0)
        return false;
    return report->ended && !report->complete && report->ranks == 0;
}

const char *ork_verdict_word(const struct ork_report *report)
{
    if (ork_report_is_unchecked(report))
        return "not-checked";
    if (report->num_findings > 0)
        return "findings";
    return report->complete ? "clean" : "unknown";
}

const char *ork_verdict_sentence(const struct ork_report *report)
{
    if (report->complete)
        return "No findings";
    return ork_report_is_unchecked(report) ? "Not checked" : "No findings in what was observed";
}

const char *ork_incomplete_words(const struct ork_report *report)
{
    if (report->complete || ork_report_is_unchecked(report))
        return NULL;
    return report->ended
               ? "Not all calls were looked at: the findings are valid, but there may be more"
               : "The application was still running when this was written: the findings "
                 "are valid, but there may be more";
}
