/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that end abnormally: when to report it, and when the launcher should have ended the ranks
 * that wait for them. Four stages, one after the other; docs/explanation/ends.md explains how the
 * causes are found. */
#include "overlay/root/root_internal.h"

#include "overlay/findings/describe.h"

/* How long other ranks may take to follow a rank that died, before it is reported anyway. */
#define FOLLOW_NS (3000 * MS)
/* And how long after that the launcher may take to end the ranks that wait for it. */
#define LAUNCHER_NS (7000 * MS)

/* If the records of a rank are invalid, or it went on unrecorded, or called a function that may
 * have ended MPI, it is unknown whether it called MPI_Finalize. */
static bool is_unknown(const struct ork_root *root, uint32_t rank, const struct ork_ending *ending)
{
    if (ork_root_is_cut(root, rank))
        return true;
    if (ork_root_is_open(root, rank))
        return ending->kind == ORK_NOTE_NONE || ending->kind == ORK_NOTE_EXIT;
    return root->detector != NULL && ending->kind == ORK_NOTE_NONE &&
           ork_detector_fault(root->detector, rank) != NULL;
}

static bool is_reported(const struct root_abnormal *a)
{
    return a->stage == ABNORMAL_REPORTED || a->stage == ABNORMAL_AWAITED;
}

/* RATIONALE: what follows the tool's or the user's decision to end the job is not reported. */
enum ork_status ork_root_take_ending(struct ork_root *root, uint32_t rank,
                                     const struct ork_ending *ending)
{
    struct root_abnormal *a = &root->abnormal;

    if (root->stopped.is_pending)
        return ork_ends_add(&root->stopped.ends, rank, ending);
    if (ork_policy_is_ending(&root->policy) || is_reported(a))
        return ORK_OK;
    if (is_unknown(root, rank, ending)) {
        a->ends.unknown++;
        return ORK_OK;
    }
    if (a->stage == ABNORMAL_NONE && ork_ending_is_abnormal(ending)) {
        a->stage = ABNORMAL_SEEN;
        a->seen_ns = ork_root_now(root);
    }
    return ork_ends_add(&a->ends, rank, ending);
}

/* Does each cause of the end have a finding of its own? */
static bool is_explained(const struct ork_root *root)
{
    const struct ork_ends *ends = &root->abnormal.ends;

    for (uint32_t i = 0; i < ends->causes; i++) {
        const struct ork_ended *e = &ends->ended[i];
        bool is_usage = root->usages != NULL && ork_usages_explain(root->usages, e->rank);
        if (!is_usage && !ork_root_is_cause_an_issue(root, e) &&
            !ork_root_is_cause_outside(root, e))
            return false;
    }
    return ends->causes > 0;
}

/* Say how the run ended in the finding of the first cause. */
static enum ork_status add_end(struct ork_root *root, const char *sentence)
{
    const struct ork_ended *first = &root->abnormal.ends.ended[0];

    if (ork_root_is_cause_an_issue(root, first) || ork_root_is_cause_outside(root, first))
        return ork_root_set_end(root, sentence);
    return ork_usages_add_end(root->usages, first->rank, sentence);
}

/* Which messages were too long for the calls in which ranks ended. RATIONALE: not at the end of
 * each rank, as the records of the senders may come later. */
static enum ork_status name_truncated(struct ork_root *root)
{
    const struct ork_ends *ends = &root->abnormal.ends;
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < ends->causes && root->detector != NULL && status == ORK_OK; i++) {
        const struct ork_ended *e = &ends->ended[i];
        if (e->ending.kind == ORK_NOTE_ERROR && e->rank < root->nprocs &&
            e->ending.value == ORK_ERR_TRUNCATE && !ork_root_is_cause_an_issue(root, e))
            status = ork_detector_name_truncated(root->detector, e->rank, e->ending.call);
    }
    return status;
}

/* All ranks were ended from outside: add where they were, as for a run that mustrun stops. */
static enum ork_status add_places(struct ork_root *root, struct ork_finding *f)
{
    enum ork_status status = ork_root_describe_places(root, f);

    if (status == ORK_OK)
        status = ork_root_describe_left_stacks(root, f);
    return status == ORK_OK ? ork_root_describe_longest(root, ork_root_now(root), f) : status;
}

/* With the last calls of the rank that ended first, and of others. */
static enum ork_status report_with_calls(struct ork_root *root, struct ork_finding *f)
{
    uint32_t ranks[ROOT_SHOWN_MAX] = {f->end.rank}, n = 1;

    if (f->end.as == ORK_AS_NONE || f->end.rank == UINT32_MAX || root->detector == NULL) {
        root->sink->finding(root->sink->context, f, false);
        return ORK_OK;
    }
    for (uint32_t i = 0; i < f->num_waits && n < ROOT_SHOWN_MAX; i++) {
        if (f->waits[i].rank != f->end.rank)
            ranks[n++] = f->waits[i].rank;
    }
    return ork_root_report_with_latest(root, f, &(struct ork_u32s){ranks, n});
}

static enum ork_status report_end(struct ork_root *root, enum ork_abnormal why)
{
    struct ork_search *search = NULL;
    struct ork_finding finding;
    enum ork_status status = ORK_OK;

    status = name_truncated(root);
    if (status == ORK_OK && root->detector != NULL)
        status = ork_detector_search(root->detector, ORK_STRICT, &search);
    if (status == ORK_OK)
        status = ork_describe_end(root->detector, root->sites, search, &root->abnormal.ends, why,
                                  &finding);
    if (status == ORK_OK && is_explained(root)) {
        status = add_end(root, finding.summary != NULL ? finding.summary : finding.message);
        ork_finding_release(&finding);
    } else if (status == ORK_OK) {
        if (why == ORK_ABNORMAL_OUTSIDE && root->detector != NULL)
            status = add_places(root, &finding);
        if (status == ORK_OK)
            status = report_with_calls(root, &finding);
        ork_finding_release(&finding);
    }
    ork_search_destroy(search);
    return status;
}

/* RATIONALE: the launcher ends the other ranks. Which rank was the first is known when they and the
 * launcher, which may know more, have ended. If they stay, there is nothing to wait for. */
enum ork_status ork_root_report_ends(struct ork_root *root, bool all)
{
    struct root_abnormal *a = &root->abnormal;

    if (a->stage != ABNORMAL_SEEN)
        return ORK_OK;
    if (!all &&
        (root->input.ended == root->input.attached || ork_root_now(root) < a->seen_ns + FOLLOW_NS))
        return ORK_OK;
    a->stage = ABNORMAL_REPORTED;
    a->ends.left = root->input.attached - root->input.ended;
    if (root->input.numbers.count == 1)
        a->ends.size = root->input.numbers.job[0].name.size;
    enum ork_abnormal why = ork_ends_classify(&a->ends);
    bool is_told = why == ORK_ABNORMAL_OUTSIDE && root->stopped.since_ns != 0;
    return why != ORK_ABNORMAL_NONE && !is_told ? report_end(root, why) : ORK_OK;
}

void ork_root_set_launcher(struct ork_root *root, int status)
{
    root->abnormal.ends.launcher = status;
}

enum ork_status ork_root_check_awaited(struct ork_root *root, uint64_t at)
{
    struct root_abnormal *a = &root->abnormal;
    struct ork_search *search;
    bool any;

    if (a->stage != ABNORMAL_REPORTED || root->input.ended == root->input.attached ||
        a->checked_ns == root->input.change_ns ||
        ork_elapsed_ns(at, root->input.change_ns) < FOLLOW_NS)
        return ORK_OK;
    a->checked_ns = root->input.change_ns;
    enum ork_status status = ork_detector_search(root->detector, ORK_STRICT, &search);
    if (status == ORK_OK)
        status = ork_describe_is_awaited(search, &a->ends, &any);
    if (status == ORK_OK && any) {
        a->stage = ABNORMAL_AWAITED;
        a->stuck_ns = at + LAUNCHER_NS;
    }
    ork_search_destroy(search);
    return status;
}

void ork_root_check_launcher(struct ork_root *root, uint64_t at)
{
    struct root_abnormal *a = &root->abnormal;

    if (a->stage != ABNORMAL_AWAITED || at <= a->stuck_ns ||
        root->input.ended >= root->input.attached)
        return;
    a->stage = ABNORMAL_REPORTED;
    root->sink->stuck(root->sink->context);
}
