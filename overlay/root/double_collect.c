/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/root/double_collect.h"

#include "common/vec.h"

#include <stdlib.h>
#include <string.h>

/* Time for a thread between publishing the record of a call and publishing that it is inside. */
#define ENTERING_NS UINT64_C(2000000000)

/* A thread that seems to be between these two. */
struct entering {
    uint64_t word, head; /* as in its snapshot */
    uint64_t since_ns;
};

struct ork_double_collect {
    uint32_t nprocs;
    uint64_t *reported_head;   /* records published at the last report that calls of a rank
                                * returned, + 1 */
    struct entering *entering; /* by process */
};

enum ork_status ork_double_collect_grow(struct ork_double_collect **collect, uint32_t nprocs)
{
    struct ork_double_collect *c = *collect;

    if (c == NULL && (*collect = c = calloc(1, sizeof(*c))) == NULL)
        return ORK_NOMEM;
    if (!ork_vec_extend(&c->reported_head, c->nprocs, nprocs, sizeof(*c->reported_head)) ||
        !ork_vec_extend(&c->entering, c->nprocs, nprocs, sizeof(*c->entering)))
        return ORK_NOMEM;
    c->nprocs = nprocs;
    return ORK_OK;
}

void ork_double_collect_restart(struct ork_double_collect *c)
{
    memset(c->entering, 0, c->nprocs * sizeof(*c->entering));
}

void ork_double_collect_destroy(struct ork_double_collect *c)
{
    if (c == NULL)
        return;
    free(c->reported_head);
    free(c->entering);
    free(c);
}

/* RATIONALE: a rank that acts although its records put it in a deadlock is not in the state that
 * they describe: a thread polls without a record, or the rank overwrote its own state. It may then
 * do anything; to ask forever would stop the tool. */
static bool is_reported_again(struct ork_double_collect *c, uint32_t r, uint64_t head)
{
    bool again = c->reported_head[r] == head + 1;

    c->reported_head[r] = head + 1;
    return again;
}

/* Does a thread that has made no call since wait for others of its rank, by the detector? */
static bool is_resting(const struct ork_detector *d, const struct ork_snapshot *snapshot,
                       uint32_t r, uint32_t thread)
{
    return (snapshot->resting & ork_detector_resting(d, r)) >> thread & 1 &&
           !ork_detector_is_inside(d, r, thread);
}

/* RATIONALE: a rank publishes the record of a call that can block, and then that it is inside. If
 * it loses its processor in between, it looks as if it had returned from that call. Its last state
 * is then older than the record; but it also is if the rank runs and has published other records
 * since. */
static bool is_entering(struct ork_double_collect *c, const struct ork_detector *d,
                        const struct ork_snapshot *snapshot, uint32_t r, uint32_t thread,
                        uint64_t now_ns)
{
    struct ork_record newest = ork_detector_run(d, r).newest;
    uint64_t word = snapshot->word[thread];
    struct entering *e = &c->entering[r];

    if (newest.kind == ORK_KIND_CONT || newest.thread != thread || word >> 8 >= snapshot->head)
        return false;
    if (e->word != word || e->head != snapshot->head)
        *e = (struct entering){.word = word, .head = snapshot->head, .since_ns = now_ns};
    return ork_elapsed_ns(now_ns, e->since_ns) < ENTERING_NS;
}

/* Every record of the rank is processed, and it is inside the call of the latest one. */
static enum ork_difference look(struct ork_double_collect *c, struct ork_detector *d,
                                const struct ork_snapshots *snapshots, uint32_t r, uint64_t now_ns)
{
    const struct ork_snapshot *snapshot = ork_snapshots_of(snapshots, 1, r);
    enum ork_difference result = ORK_UNCHANGED;

    if (snapshot == NULL) /* it has just ended, which will be reported */
        return ORK_CHANGED;
    if (!ork_snapshots_is_current(snapshots, snapshot, r))
        return ORK_CHANGED;
    if (snapshot->others != ORK_OTHERS_NONE && ork_detector_set_busy(d, r, true) == ORK_OK)
        return ORK_RETURNED;
    if ((ork_detector_resting(d, r) & ~snapshot->resting) != 0) { /* some woke up */
        ork_detector_set_resting(d, r, ork_detector_resting(d, r) & snapshot->resting);
        return ORK_RETURNED;
    }
    for (uint32_t t = 0; t < snapshot->threads; t++) {
        uint64_t word = snapshot->word[t];
        if ((word & 0xff) == ORK_STATE_BLOCKED || is_resting(d, snapshot, r, t))
            continue;
        if (ork_detector_rank(d, r)
                .moved) /* known, and the record that let it return has not arrived yet */
            return ORK_CHANGED;
        if (is_entering(c, d, snapshot, r, t, now_ns))
            return ORK_CHANGED;
        if (ork_detector_returned(d, r, t) == ORK_OK)
            result = ORK_RETURNED;
    }
    if (result == ORK_RETURNED && is_reported_again(c, r, snapshot->head) &&
        ork_detector_set_busy(d, r, true) != ORK_OK)
        return ORK_CHANGED;
    return result;
}

/* Is the rank in both of the latest rounds, and the same? */
static bool is_unchanged(const struct ork_snapshots *snapshots, uint32_t r)
{
    const struct ork_snapshot *first = ork_snapshots_of(snapshots, 1, r);
    const struct ork_snapshot *second = ork_snapshots_of(snapshots, 0, r);

    return first != NULL && second != NULL && second->head == first->head &&
           second->threads == first->threads && second->others == first->others &&
           second->resting == first->resting && second->stirred == first->stirred &&
           memcmp(second->word, first->word, second->threads * sizeof(*second->word)) == 0;
}

static bool is_looked_at(const struct ork_detector *d, uint32_t r, enum ork_look which)
{
    if (which == ORK_LOOK_AT_RESTING)
        return ork_detector_resting(d, r) != 0;
    return which == ORK_LOOK_AT_ALL || ork_detector_rank(d, r).awaits_lock;
}

static bool is_member(const struct ork_detector *d, const struct ork_search *s, uint32_t r,
                      enum ork_look which)
{
    return ork_wfg_is_deadlocked(s->wfg, r) && ork_detector_rank(d, r).status != ORK_RANK_DONE &&
           is_looked_at(d, r, which);
}

static enum ork_difference compare_rounds(struct ork_double_collect *c, struct ork_detector *d,
                                          struct ork_snapshots *snapshots,
                                          const struct ork_search *s, enum ork_look which,
                                          uint64_t now_ns)
{
    enum ork_difference result = ORK_UNCHANGED;

    for (uint32_t r = 0; r < c->nprocs; r++) {
        if (!is_member(d, s, r, which))
            continue;
        enum ork_difference one = look(c, d, snapshots, r, now_ns);
        if (one == ORK_CHANGED)
            return ORK_CHANGED;
        if (one == ORK_RETURNED)
            result = ORK_RETURNED;
    }
    for (uint32_t r = 0; r < c->nprocs && result == ORK_UNCHANGED; r++) {
        if (is_member(d, s, r, which) && !is_unchanged(snapshots, r))
            return ORK_CHANGED;
    }
    return result;
}

static bool any_member(const struct ork_double_collect *c, const struct ork_detector *d,
                       const struct ork_search *s, enum ork_look which)
{
    for (uint32_t r = 0; r < c->nprocs; r++) {
        if (is_member(d, s, r, which))
            return true;
    }
    return false;
}

enum ork_difference ork_double_collect_look(struct ork_double_collect *c, struct ork_detector *d,
                                            struct ork_snapshots *snapshots,
                                            const struct ork_search *s, enum ork_look which,
                                            uint64_t now_ns)
{
    if (which != ORK_LOOK_AT_ALL && !any_member(c, d, s, which))
        return ORK_UNCHANGED;
    if (!ork_snapshots_is_fresh(snapshots, 2, now_ns))
        return ORK_CHANGED;
    enum ork_difference result = compare_rounds(c, d, snapshots, s, which, now_ns);
    if (result != ORK_UNCHANGED)
        ork_snapshots_expire(snapshots);
    return result;
}
