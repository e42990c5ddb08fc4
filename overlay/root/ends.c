/* SPDX-License-Identifier: BSD-3-Clause */
/* The ends of ranks, as they come to the root; abnormal.c says when they are reported. */
#include "overlay/root/input.h"

enum ork_status ork_root_take_end(struct ork_root *root, uint32_t rank, enum ork_end end,
                                  enum ork_causal_end how)
{
    enum ork_status status = ork_followers_end(root, rank, how);

    return status == ORK_OK && rank < root->nprocs ? ork_detector_end(root->detector, rank, end)
                                                   : status;
}

/* RATIONALE: when a job is ended, or a rank of it has died, some rank may leave MPI_Finalize
 * because the rank that it waited for has gone. */
static bool is_let_go(const struct ork_root *root, uint32_t rank)
{
    return (ork_policy_is_ending(&root->policy) || root->abnormal.stage != ABNORMAL_NONE) &&
           root->detector != NULL && rank < root->nprocs &&
           ork_detector_rank(root->detector, rank).status == ORK_RANK_BLOCKED;
}

/* RATIONALE: a rank that died does not make others deadlocked. It counts as what it was when it
 * ended: in the call in which it died, or outside MPI and able to act. */
static enum ork_end end_of(const struct ork_root *root, uint32_t rank,
                           const struct ork_ending *ending)
{
    if (ork_root_is_cut(root, rank))
        return ORK_END_KILLED;
    if (ending->how == ORK_DEATH_FINISHED && !is_let_go(root, rank))
        return ORK_END_FINISHED;
    return ending->kind == ORK_NOTE_ERROR ? ORK_END_FAILED : ORK_END_KILLED;
}

/* Did the rank end by itself? A signal of another process is no such end. */
static enum ork_causal_end how_it_ended(const struct ork_root *root,
                                        const struct ork_ending *ending)
{
    bool is_own = ending->kind == ORK_NOTE_EXIT || ending->kind == ORK_NOTE_ERROR ||
                  ending->kind == ORK_NOTE_ABORT ||
                  (ending->kind == ORK_NOTE_SIGNAL && ending->sender == 0);

    if (is_own && !ork_policy_is_ending(&root->policy))
        return ORK_CAUSAL_OWN;
    return ending->how == ORK_DEATH_INSIDE ? ORK_CAUSAL_INSIDE : ORK_CAUSAL_OUTSIDE;
}

/* Under MPI_ERRORS_RETURN its latest call may have failed, unless something shows that it did not.
 * RATIONALE: the rank had left the call before it ended, and no record reports a failure. */
static enum ork_status confirm_last(struct ork_root *root, uint32_t rank,
                                    const struct ork_ending *ending)
{
    bool is_known = root->detector != NULL && rank < root->nprocs &&
                    ending->how == ORK_DEATH_OUTSIDE && ending->kind != ORK_NOTE_ERROR &&
                    ending->last.kind != ORK_KIND_CONT;

    if (!is_known || !ork_detector_rank(root->detector, rank).unsure)
        return ORK_OK;
    return ork_detector_returned(root->detector, rank, ending->last.thread);
}

enum ork_status ork_root_on_end(struct ork_root *root, uint32_t rank,
                                const struct ork_ending *ending)
{
    enum ork_status status = ork_root_fold_stop(root);

    if (status != ORK_OK)
        return status;
    enum ork_end end = end_of(root, rank, ending);
    status = ork_root_take_ending(root, rank, ending);
    root->input.ended++;
    root->input.has_moved = true;
    root->input.full_waits += ending->full_waits;
    root->policy.is_dirty = true;
    root->input.change_ns = ork_root_taken_at(root);
    if (root->usages != NULL && ork_ending_is_abnormal(ending) && !ork_root_is_cut(root, rank) &&
        !ork_policy_is_ending(&root->policy))
        ork_usages_die(root->usages, rank);
    if (status == ORK_OK)
        status = confirm_last(root, rank, ending);
    if (status != ORK_OK)
        return status;
    if (root->input.trace != NULL && ork_trace_end(root->input.trace, rank, (uint8_t)end) != ORK_OK)
        root->input.trace_failed = true;
    return root->detector == NULL ? ork_root_keep_early_end(root, rank, end)
                                  : ork_root_take_end(root, rank, end, how_it_ended(root, ending));
}
