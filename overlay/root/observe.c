/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of the run now: is every rank inside a call, and for how long? */
#include "overlay/root/root_internal.h"

#include "common/vec.h"
#include "overlay/root/patience.h"

#define HANG_LOOK_NS  (50 * MS)
#define HANG_LOOK_MAX (1000 * MS)

static bool has_left(const struct ork_root *root, uint32_t rank)
{
    struct ork_rank_view v = ork_detector_rank(root->detector, rank);

    return v.status == ORK_RANK_DONE && v.end == ORK_END_FINISHED;
}

/* Every thread is inside a call, waits for one that is, or has left MPI_Finalize and sleeps. */
static bool is_inside(const struct ork_snapshot *s)
{
    bool any = false;

    for (uint32_t t = 0; t < s->threads; t++) {
        uint64_t state = s->word[t] & 0xff;
        bool is_blocked = ork_snapshot_is_inside(s, t) || (state == ORK_STATE_DONE && s->sleeps);
        bool rests = (s->resting >> t & 1) != 0 && s->others == ORK_OTHERS_NONE;
        if (!is_blocked && !rests)
            return false;
        any |= is_blocked;
    }
    return any;
}

bool ork_root_is_all_inside(const struct ork_root *root)
{
    uint32_t left = 0;

    for (uint32_t r = 0; r < root->nprocs; r++) {
        const struct ork_snapshot *snapshot = ork_snapshots_of(root->snapshots, 0, r);
        if (has_left(root, r)) {
            left++;
            continue;
        }
        if (snapshot == NULL || !ork_snapshots_is_current(root->snapshots, snapshot, r))
            return false;
        if (!is_inside(snapshot))
            return false;
    }
    return left < root->nprocs;
}

static uint64_t look_again_after(uint64_t quiet_ns)
{
    uint64_t ns = quiet_ns / 10;

    return ns < HANG_LOOK_NS ? HANG_LOOK_NS : ns < HANG_LOOK_MAX ? ns : HANG_LOOK_MAX;
}

bool ork_root_is_hanging(struct ork_root *root, uint64_t at, uint64_t since)
{
    if (root->input.attached < root->nprocs || ork_elapsed_ns(at, root->input.change_ns) < since)
        return false;
    if (root->look.at_ns > root->input.change_ns &&
        ork_elapsed_ns(at, root->look.at_ns) <
            look_again_after(ork_elapsed_ns(at, root->input.change_ns)))
        return root->look.is_all_inside;
    if (!ork_snapshots_is_fresh(root->snapshots, 1, at))
        return false;
    root->look.at_ns = at;
    root->look.is_all_inside = ork_root_is_all_inside(root);
    return root->look.is_all_inside;
}

/* Begin anew after each change. False: this was the first time, or there is no memory. */
static bool has_begun(struct ork_root *root)
{
    struct root_look *l = &root->look;

    if (l->change_ns == root->input.change_ns && l->ranks == root->nprocs)
        return true;
    if (!ork_vec_reserve(&l->begin, &l->room, root->nprocs, sizeof(*l->begin)))
        return false;
    for (uint32_t r = 0; r < root->nprocs; r++) {
        const struct ork_snapshot *s = ork_snapshots_of(root->snapshots, 0, r);
        l->begin[r] = s != NULL ? ork_pace_of(s) : (struct ork_pace){0};
    }
    l->change_ns = root->input.change_ns;
    l->ranks = root->nprocs;
    return false;
}

static bool has_looked(const struct ork_snapshot *s, const struct ork_pace *begin)
{
    const struct ork_pace now = ork_pace_of(s);

    return s->sleeps || !s->is_runnable || !ork_snapshot_has_thread(s, ORK_STATE_BLOCKED) ||
           now.inside_ns == 0 || now.inside_ns >= begin->inside_ns + ORK_PATIENCE_CPU_NS ||
           ork_pace_looks(begin, &now) >= ORK_PATIENCE_LOOKS;
}

bool ork_root_have_all_looked(struct ork_root *root)
{
    if (!has_begun(root))
        return false;
    for (uint32_t r = 0; r < root->nprocs; r++) {
        const struct ork_snapshot *s = ork_snapshots_of(root->snapshots, 0, r);
        if (s != NULL && !has_looked(s, &root->look.begin[r]))
            return false;
    }
    return true;
}

enum ork_status ork_root_catch_up(struct ork_root *root, bool *caught_up)
{
    uint32_t passed;
    enum ork_status status = ork_detector_catch_up(root->detector, true, &passed);

    *caught_up = passed > 0;
    root->policy.is_dirty |= passed > 0;
    return status;
}
