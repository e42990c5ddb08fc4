/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that wait in a run of an exploration (docs/explanation/exploration.md).
 * Polls: they are unsuccessful if no rank can go on. RATIONALE: a message may come only after a
 * poll that failed. If this is assumed too early, the run has another order, but each outcome is
 * one that MPI allows.
 * Choices of the plan: they wait for a message that may be sent only after them, by a rank that
 * waits outside MPI for what comes after the choice. */
#include "overlay/root/root_internal.h"

#include "common/vec.h"

#include <stdlib.h>

/* Processor time that each rank has used in its call since the run stood still. RATIONALE: a rank
 * that gets no processor does not count as unable to go on. */
#define INSIDE_NS UINT64_C(1000000)

/* So long choices wait while the others sleep outside MPI, or while one computes; and longer if the
 * run had lasted for long before. */
#define SLEEPS_NS     (20000 * MS)
#define SLEEPS_MAX_NS (45000 * MS)
#define COMPUTES_NS   (60000 * MS)

struct root_expiry {
    uint64_t begun_ns;   /* the run */
    uint64_t still_ns;   /* the change after which the run stood still; */
    uint64_t *inside_ns; /* by rank: as in a snapshot, when that was first seen */
    uint32_t ranks, room;
    uint64_t expired_ns; /* the change after which polls last failed */
    uint64_t looked_ns;
};

static enum ork_status create(struct ork_root *root, uint32_t nprocs)
{
    (void)nprocs;
    root->expiry = calloc(1, sizeof(*root->expiry));
    if (root->expiry == NULL)
        return ORK_NOMEM;
    root->expiry->begun_ns = ork_root_now(root);
    return ORK_OK;
}

static void destroy(struct ork_root *root)
{
    if (root->expiry != NULL)
        free(root->expiry->inside_ns);
    free(root->expiry);
}

const struct ork_follower ork_follow_expiry = {.create = create, .destroy = destroy};

static uint64_t inside_ns(const struct ork_root *root, uint32_t rank)
{
    const struct ork_snapshot *s = ork_snapshots_of(root->snapshots, 0, rank);

    return s != NULL ? s->inside_ns : 0;
}

static enum ork_status stand_still(struct ork_root *root)
{
    struct root_expiry *e = root->expiry;

    if (!ork_vec_reserve(&e->inside_ns, &e->room, root->nprocs, sizeof(*e->inside_ns)))
        return ORK_NOMEM;
    e->ranks = root->nprocs;
    e->still_ns = root->input.change_ns;
    for (uint32_t r = 0; r < e->ranks; r++)
        e->inside_ns[r] = inside_ns(root, r);
    return ORK_OK;
}

/* RATIONALE: not the activity of the ranks, which needs looks that are farther apart. */
static bool may_be_still(const struct ork_root *root, uint32_t rank)
{
    const struct ork_snapshot *s = ork_snapshots_of(root->snapshots, 0, rank);

    if (s == NULL)
        return ork_detector_rank(root->detector, rank).status == ORK_RANK_DONE;
    return ork_snapshots_is_current(root->snapshots, s, rank) &&
           (ork_snapshot_has_thread(s, ORK_STATE_DONE) ||
            (ork_snapshot_has_thread(s, ORK_STATE_BLOCKED) &&
             !ork_snapshot_has_thread(s, ORK_STATE_RUNNING) && s->others != ORK_OTHERS_ACT));
}

/* Is each rank inside a call, or gone? Asked each ROOT_EXPIRE_NS. */
static bool is_still(struct ork_root *root, uint64_t at)
{
    if (root->input.attached < root->nprocs || root->input.lost != NULL ||
        ork_elapsed_ns(at, root->input.change_ns) < ROOT_EXPIRE_NS ||
        ork_elapsed_ns(at, root->expiry->looked_ns) < ROOT_EXPIRE_NS ||
        !ork_snapshots_is_fresh(root->snapshots, 1, at))
        return false;
    root->expiry->looked_ns = at;
    for (uint32_t r = 0; r < root->nprocs; r++) {
        if (!may_be_still(root, r))
            return false;
    }
    return true;
}

/* A rank whose processor time is unknown has tried. */
static bool have_all_tried(const struct ork_root *root)
{
    const struct root_expiry *e = root->expiry;

    for (uint32_t r = 0; r < e->ranks; r++) {
        const struct ork_snapshot *s = ork_snapshots_of(root->snapshots, 0, r);
        if (s != NULL && !s->sleeps && s->inside_ns != 0 &&
            s->inside_ns - e->inside_ns[r] < INSIDE_NS)
            return false;
    }
    return true;
}

enum ork_status ork_root_expire_polls(struct ork_root *root, uint64_t at)
{
    struct root_expiry *e = root->expiry;

    if (e == NULL || e->expired_ns == root->input.change_ns || !is_still(root, at))
        return ORK_OK;
    if (e->still_ns != root->input.change_ns || e->ranks != root->nprocs)
        return stand_still(root);
    if (!have_all_tried(root))
        return ORK_OK;
    e->expired_ns = root->input.change_ns;
    return ork_down_send(&root->down, &(struct ork_order){.kind = ORK_ORDER_EXPIRE});
}

bool ork_root_waits_in_vain(struct ork_root *root, uint64_t at)
{
    if (root->expiry == NULL)
        return false;
    uint64_t before = ork_elapsed_ns(root->input.change_ns, root->expiry->begun_ns);
    uint64_t sleeps = 2 * before < SLEEPS_MAX_NS ? 2 * before : SLEEPS_MAX_NS;
    uint64_t computes = 2 * before > COMPUTES_NS ? 2 * before : COMPUTES_NS;

    return ork_root_is_idle(root, at, sleeps > SLEEPS_NS ? sleeps : SLEEPS_NS) ||
           (root->input.attached == root->nprocs &&
            ork_elapsed_ns(at, root->input.change_ns) >= computes);
}
