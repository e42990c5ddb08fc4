/* SPDX-License-Identifier: BSD-3-Clause */
/* What is between the records that come and the detector: docs/explanation/folding.md. */
#include "overlay/root/root_internal.h"

#define LINGER_NS (50 * MS)
/* If no rank has repeated its iteration, so that something of it was taken, what is kept back of
 * the others waits for so long. RATIONALE: to feed it takes longer than to wait for a rank that
 * another process keeps from running. */
#define WAIT_NS (20 * MS)

/* Nothing is being examined, and nobody needs every message. */
static bool may_fold(void *context)
{
    const struct ork_root *root = context;

    return ork_followers_need(root) != ORK_NEED_ALL && root->pause.stage == PAUSE_NONE &&
           root->question.stage == QUESTION_NONE && root->policy.candidate == ROOT_CANDIDATE_NONE &&
           root->reports.delayed == NULL;
}

static bool write_state(void *context, size_t limit, struct ork_words *state)
{
    return ork_followers_state(context, limit, state);
}

/* RATIONALE: who needs all records from the start, for example an arbiter, needs them to the end; a
 * replay that is to stop has to find one record. */
enum ork_status ork_root_fold_create(struct ork_root *root, ork_root_feed *feed)
{
    const struct ork_fold_sink sink = {
        .context = root, .feed = feed, .may_fold = may_fold, .state = write_state};

    if (!root->options.fold || ork_followers_need(root) == ORK_NEED_ALL ||
        root->options.stop.choice != 0)
        return ORK_OK;
    return ork_fold_create(root->detector, root->nprocs, &sink, &root->fold);
}

/* RATIONALE: the leaves join collective calls of their ranks, so these are no part of the blocks
 * that they send. While iterations of all ranks are counted, the calls of each rank have to come
 * here anyway. Between two loops, the leaves go on like that for a moment. */
static enum ork_status inform_leaves(struct ork_root *root, bool is_counting)
{
    struct root_folding *f = &root->folding;
    bool is_over = false;

    if (f->leaves_know && ork_fold_is_on(root->fold))
        f->on_ns = root->input.change_ns;
    else if (f->leaves_know)
        is_over = ork_elapsed_ns(ork_root_now(root), f->on_ns) > LINGER_NS;
    if (f->leaves_know ? !is_over : !is_counting)
        return ORK_OK;
    f->leaves_know = !f->leaves_know;
    f->on_ns = root->input.change_ns;
    return ork_down_send(&root->down,
                         &(struct ork_order){.kind = ORK_ORDER_FOLD, .is_folding = f->leaves_know});
}

bool ork_root_keeps_back(struct ork_root *root)
{
    return root->fold != NULL && ork_fold_is_on(root->fold) && may_fold(root) &&
           ork_elapsed_ns(ork_root_now(root), root->folding.moved_ns) < WAIT_NS;
}

enum ork_status ork_root_fold_step(struct ork_root *root, bool *is_steady)
{
    *is_steady = false;
    if (root->fold == NULL)
        return ORK_OK;
    bool is_counting = ork_fold_is_counting(root->fold);
    if (ork_fold_has_moved(root->fold) || !ork_fold_is_on(root->fold))
        root->folding.moved_ns = root->input.change_ns;
    enum ork_status status = ork_fold_step(root->fold, ork_root_keeps_back(root), is_steady);
    if (status == ORK_OK)
        status = inform_leaves(root, is_counting);
    if (status != ORK_OK || !*is_steady || may_fold(root))
        return status;
    *is_steady = false;
    return ork_fold_unfold(root->fold);
}

enum ork_status ork_root_unfold(struct ork_root *root)
{
    return root->fold != NULL ? ork_fold_unfold(root->fold) : ORK_OK;
}

enum ork_status ork_root_fold_stop(struct ork_root *root)
{
    return root->fold != NULL ? ork_fold_stop(root->fold) : ORK_OK;
}
