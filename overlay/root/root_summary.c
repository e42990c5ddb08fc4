/* SPDX-License-Identifier: BSD-3-Clause */
/* What the report says of the whole run. */
#include "overlay/root/root_internal.h"

#include "common/text.h"
#include "overlay/findings/job_phrase.h"

#include <stdlib.h>

static enum ork_status add_jobs(struct ork_root *root, struct ork_report *report)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 1; i < ork_detector_num_jobs(root->detector) && status == ORK_OK; i++) {
        struct ork_job_view v = ork_detector_job(root->detector, i);
        char *origin = ork_job_origin(root->detector, root->sites, i);
        status = origin == NULL ? ORK_NOMEM : ork_report_add_job(report, v.first, v.size, origin);
        free(origin);
    }
    return status;
}

static void fill_statistics(const struct ork_root *root, const struct ork_counts *counts,
                            struct ork_statistics *to)
{
    to->calls = counts->calls;
    to->records = counts->records;
    to->messages = counts->messages;
    to->collectives = counts->collectives;
    to->searches = counts->searches;
    if (root->fold == NULL)
        return;
    const struct ork_fold_counts folded = ork_fold_counts(root->fold);
    to->folded_records = folded.records;
    to->folded_iterations = folded.iterations;
    to->folded_blocks = folded.blocks;
    to->folds_given_up = folded.given_up;
}

static char *refusing(const struct ork_root *root)
{
    const uint32_t others = root->input.refusing - 1;

    return others == 0
               ? ork_text("another user's process was at the address of the tool process that rank "
                          "%u was to use, so it used another one",
                          root->input.first_refusing)
               : ork_text("other users' processes were at the addresses of the tool processes that "
                          "rank %u and %u other%s were to use, so they used other ones",
                          root->input.first_refusing, others, others == 1 ? "" : "s");
}

/* RATIONALE: a process that came up alone is not the rank in whose name it attached. */
static enum ork_status add_unseen(const struct ork_root *root, struct ork_report *report)
{
    uint32_t alone = root->unseen.count[ORK_UNSEEN_ALONE];
    char *reason = ork_root_unseen_reason(root);

    report->ranks -= alone < report->ranks ? alone : report->ranks;
    if (reason != NULL && reason[0] == '\0') {
        free(reason);
        return ORK_OK;
    }
    report->complete = false;
    return ork_report_take_note(report, reason);
}

/* Note which processes were not observed, or not by their own leaf. */
static enum ork_status add_unobserved(const struct ork_root *root, struct ork_report *report)
{
    enum ork_status status = ORK_OK;

    if (root->input.attached < root->nprocs) {
        report->complete = false;
        status = ork_report_take_note(report,
                                      ork_text("%u of %u ranks were not observed",
                                               root->nprocs - root->input.attached, root->nprocs));
    }
    if (status == ORK_OK && root->input.attached > root->nprocs) {
        report->complete = false;
        status =
            ork_report_take_note(report, ork_text("%u processes of unknown jobs were not observed",
                                                  root->input.attached - root->nprocs));
    }
    bool alone = root->unlooked.has_spawned && ork_detector_num_jobs(root->detector) == 1;
    if (status == ORK_OK && (alone || ork_detector_has_foreign(root->detector))) {
        report->complete = false;
        status = ork_report_add_note(
            report, alone ? "the processes that the program spawned were not observed"
                          : "calls on communicators with processes of other jobs were not looked "
                            "at: it is not known which processes these are");
    }
    if (status == ORK_OK)
        status = add_unseen(root, report);
    if (status == ORK_OK && root->input.unassigned > 0)
        status = ork_report_take_note(
            report, ork_text("%u process%s outside this run %s not observed",
                             root->input.unassigned, root->input.unassigned == 1 ? "" : "es",
                             root->input.unassigned == 1 ? "was" : "were"));
    if (status == ORK_OK && root->input.refusing > 0)
        status = ork_report_take_note(report, refusing(root));
    return status;
}

enum ork_status ork_root_summary(struct ork_root *root, struct ork_report *report)
{
    enum ork_status status = ORK_OK;

    report->ranks = root->nprocs;
    report->statistics.seconds_to_verdict = root->reports.seconds_to_verdict;
    report->statistics.full_waits = root->input.full_waits;
    report->statistics.tool_waits = root->input.tool_waits;
    report->statistics.tool_ranks = root->input.leaves;
    if (root->detector == NULL)
        return ORK_OK;
    status = add_jobs(root, report);
    struct ork_counts counts = ork_detector_counts(root->detector);
    fill_statistics(root, &counts, &report->statistics);
    if (status == ORK_OK)
        status = add_unobserved(root, report);
    if (status == ORK_OK && root->input.lost != NULL) {
        report->complete = false;
        status = ork_report_add_note(report, root->input.lost);
    }
    if (status == ORK_OK && root->input.other_runtimes > 0)
        status = ork_report_add_note(
            report, "the loads and stores of the program were not seen: it is linked with "
                    "ThreadSanitizer's library, not with that of the tool (pkg-config --libs "
                    "orknot-memory)");
    if (status == ORK_OK && root->usages != NULL)
        status = ork_usages_summary(root->usages, report);
    if (status == ORK_OK && counts.assumed > 0)
        status = ork_report_take_note(
            report, ork_text("memory ran short: the tool had to assume %llu match%s "
                             "of wildcard receives (--must:queue-limit)",
                             (unsigned long long)counts.assumed, counts.assumed == 1 ? "" : "es"));
    if (status == ORK_OK)
        status = ork_recording_summary(root->recording, root->options.order_is_wanted, report);
    if (status == ORK_OK)
        status = ork_followers_summary(root, report);
    if (status == ORK_OK && root->history.is_partial)
        status = ork_report_add_note(
            report,
            "the tool could not search all alternative matches of wildcard receives for deadlocks");
    if (status == ORK_OK &&
        (ork_trace_flush(root->input.trace) != ORK_OK || root->input.trace_failed))
        status = ork_report_add_note(report, "the trace is incomplete: it could not be written");
    for (uint32_t r = 0; r < root->nprocs; r++)
        report->complete &= ork_detector_fault(root->detector, r) == NULL;
    return status;
}
