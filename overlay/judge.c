/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/judge.h"

#include <stdlib.h>
#include <string.h>

/* Since when a rank is in the call in which it was last seen deadlocked. */
struct watch {
    uint64_t head;
    uint64_t since_ns;
    uint64_t cpu_ns;
    bool active;
    uint64_t told_head; /* records published when its calls were last said to have returned, + 1 */
};

struct ork_judge {
    uint32_t nprocs;
    struct watch *watch;
    bool *root;
    uint32_t root_cap;
    bool *awaited; /* by process: somebody deadlocked waits for it; NULL: not needed yet */
};

enum ork_status ork_judge_create(uint32_t nprocs, struct ork_judge **out)
{
    struct ork_judge *j = calloc(1, sizeof(*j));

    if (j == NULL)
        return ORK_NOMEM;
    j->nprocs = nprocs;
    j->watch = calloc(nprocs, sizeof(*j->watch));
    if (j->watch == NULL) {
        ork_judge_destroy(j);
        return ORK_NOMEM;
    }
    *out = j;
    return ORK_OK;
}

enum ork_status ork_judge_grow(struct ork_judge *j, uint32_t nprocs)
{
    struct watch *watch = realloc(j->watch, nprocs * sizeof(*watch));

    if (watch == NULL)
        return ORK_NOMEM;
    j->watch = watch;
    free(j->awaited);
    j->awaited = NULL;
    memset(watch + j->nprocs, 0, (nprocs - j->nprocs) * sizeof(*watch));
    j->nprocs = nprocs;
    return ORK_OK;
}

void ork_judge_destroy(struct ork_judge *j)
{
    if (j == NULL)
        return;
    free(j->watch);
    free(j->root);
    free(j->awaited);
    free(j);
}

static bool reserve_roots(struct ork_judge *j, uint32_t count)
{
    if (count <= j->root_cap)
        return true;
    bool *bigger = realloc(j->root, count * sizeof(*bigger));
    if (bigger == NULL)
        return false;
    j->root = bigger;
    j->root_cap = count;
    return true;
}

static bool is_done(const struct ork_detector *d, uint32_t r)
{
    return ork_detector_rank(d, r).status == ORK_RANK_DONE;
}

static bool mark_awaited(struct ork_judge *j, const struct ork_search *s)
{
    if (j->awaited == NULL && (j->awaited = malloc(j->nprocs)) == NULL)
        return false;
    memset(j->awaited, 0, j->nprocs);
    for (uint32_t v = 0; v < ork_wfg_num_nodes(s->wfg); v++) {
        for (uint32_t i = 0; ork_wfg_is_deadlocked(s->wfg, v) && i < ork_wfg_num_arcs(s->wfg, v);
             i++) {
            uint32_t to = ork_wfg_arc(s->wfg, v, i).to;
            if (to < j->nprocs && to != v)
                j->awaited[to] = true;
        }
    }
    return true;
}

/* The process that ended, if the knot is one. A rank that ended is a knot of its own, but only a
 * cause if somebody waits for it. */
static uint32_t end_of(const struct ork_detector *d, const struct ork_search *s,
                       const struct ork_wfg_knot *knot)
{
    uint32_t end = knot->node[0];
    bool is_end =
        knot->count == 1 && ork_wfg_node(s->wfg, end).kind == ORK_WFG_PROCESS && is_done(d, end);

    return is_end ? end : UINT32_MAX;
}

/* The causes among the bottom knots. */
static enum ork_status mark_causes(struct ork_judge *j, const struct ork_detector *d,
                                   const struct ork_search *s, uint32_t *causes)
{
    bool is_known = false;

    *causes = 0;
    for (uint32_t k = 0; k < ork_wfg_num_bottom(s->wfg); k++) {
        struct ork_wfg_knot knot = ork_wfg_bottom(s->wfg, k);
        uint32_t end = end_of(d, s, &knot);
        if (end != UINT32_MAX && !is_known && !(is_known = mark_awaited(j, s)))
            return ORK_NOMEM;
        j->root[k] = end == UINT32_MAX || j->awaited[end];
        *causes += j->root[k];
    }
    return ORK_OK;
}

/* Which causes have a member that moved? */
static bool mark_moved_roots(struct ork_judge *j, const struct ork_detector *d,
                             const struct ork_search *s)
{
    bool any = false;

    for (uint32_t k = 0; k < ork_wfg_num_bottom(s->wfg); k++) {
        struct ork_wfg_knot knot = ork_wfg_bottom(s->wfg, k);
        bool moved = false;
        for (uint32_t i = 0; i < knot.count && !moved; i++)
            moved = knot.node[i] < j->nprocs && ork_detector_rank(d, knot.node[i]).moved;
        j->root[k] = j->root[k] && moved;
        any |= j->root[k];
    }
    return any;
}

static bool any_moved(struct ork_judge *j, const struct ork_detector *d, const struct ork_search *s)
{
    for (uint32_t r = 0; r < j->nprocs; r++) {
        if (ork_wfg_is_deadlocked(s->wfg, r) && ork_detector_rank(d, r).moved)
            return true;
    }
    return false;
}

/* ---- double collect (the ranks of the candidate only: nobody else can release them) ---- */

enum stillness { STILL, NOT_STILL, RETURNED };

/* RATIONALE: a rank that acts, and is in a deadlock all the same by what its records say, is not
 * what they say: a thread of it polls without a record, or it wrote over its own state. Then it may
 * do anything; asking for ever would stop the tool. */
static bool is_told_again(struct ork_judge *j, uint32_t r, uint64_t head)
{
    bool again = j->watch[r].told_head == head + 1;

    j->watch[r].told_head = head + 1;
    return again;
}

/* Every record of the rank is processed and it is inside the call that the latest one announced. */
static enum stillness look(struct ork_judge *j, struct ork_detector *d,
                           const struct ork_census *census, uint32_t r)
{
    const struct ork_snapshot *snapshot = ork_census_of(census, 1, r);
    enum stillness result = STILL;

    if (snapshot == NULL) /* it has just ended: that will be told */
        return NOT_STILL;
    if (!ork_census_is_current(census, snapshot, r))
        return NOT_STILL;
    if (snapshot->strangers > 0 && ork_detector_set_busy(d, r, true) == ORK_OK)
        return RETURNED;
    for (uint32_t t = 0; t < snapshot->threads; t++) {
        uint64_t word = snapshot->word[t];
        if ((word & 0xff) == ORK_STATE_BLOCKED)
            continue;
        if (ork_detector_rank(d, r)
                .moved) /* known, and what let it return is still on its way here */
            return NOT_STILL;
        if (ork_detector_returned(d, r, t) == ORK_OK)
            result = RETURNED;
    }
    if (result == RETURNED && is_told_again(j, r, snapshot->head) &&
        ork_detector_set_busy(d, r, true) != ORK_OK)
        return NOT_STILL;
    return result;
}

/* Did nothing change between the two latest rounds? */
static bool is_unchanged(const struct ork_census *census, uint32_t r)
{
    const struct ork_snapshot *first = ork_census_of(census, 1, r);
    const struct ork_snapshot *second = ork_census_of(census, 0, r);

    return second != NULL && second->head == first->head && second->threads == first->threads &&
           memcmp(second->word, first->word, second->threads * sizeof(*second->word)) == 0;
}

static enum stillness compare_rounds(struct ork_judge *j, struct ork_detector *d,
                                     struct ork_census *census, const struct ork_search *s)
{
    enum stillness result = STILL;

    for (uint32_t r = 0; r < j->nprocs; r++) {
        if (!ork_wfg_is_deadlocked(s->wfg, r) || is_done(d, r))
            continue;
        enum stillness one = look(j, d, census, r);
        if (one == NOT_STILL)
            return NOT_STILL;
        if (one == RETURNED)
            result = RETURNED;
    }
    for (uint32_t r = 0; r < j->nprocs && result == STILL; r++) {
        if (ork_wfg_is_deadlocked(s->wfg, r) && !is_done(d, r) && !is_unchanged(census, r))
            return NOT_STILL;
    }
    return result;
}

/* ---- is it stuck for good? ---- */

static bool is_stuck(struct ork_judge *j, const struct ork_census *census, uint32_t r,
                     uint64_t now_ns)
{
    struct watch *w = &j->watch[r];
    const struct ork_snapshot *now = ork_census_of(census, 0, r);

    if (!w->active || w->head != now->head) {
        *w = (struct watch){.head = now->head,
                            .since_ns = now_ns,
                            .cpu_ns = now->cpu_ns,
                            .active = true,
                            .told_head = w->told_head};
        return false;
    }
    return now->cpu_ns - w->cpu_ns >= ORK_STUCK_CPU_NS || now_ns - w->since_ns >= ORK_STUCK_WALL_NS;
}

/* Every root: deadlocked under every implementation, or stuck. */
static enum ork_status is_for_good(struct ork_judge *j, struct ork_detector *d,
                                   const struct ork_census *census, const struct ork_search *s,
                                   uint64_t now_ns, bool *yes)
{
    struct ork_search *lazy;
    enum ork_status status = ork_detector_search(d, ORK_LAZY, &lazy);

    *yes = true;
    if (status != ORK_OK)
        return status;
    for (uint32_t k = 0; k < ork_wfg_num_bottom(s->wfg); k++) {
        struct ork_wfg_knot knot = ork_wfg_bottom(s->wfg, k);
        for (uint32_t i = 0; i < knot.count; i++) {
            uint32_t r = knot.node[i];
            if (r < j->nprocs && !ork_wfg_is_deadlocked(lazy->wfg, r) && !is_done(d, r))
                *yes &= is_stuck(j, census, r, now_ns);
        }
    }
    ork_search_destroy(lazy);
    return ORK_OK;
}

/* Nothing lives any more: what is not deadlocked under every implementation is potential, and so is
 * what the run went past. */
static enum ork_status judge_final(struct ork_judge *j, struct ork_detector *d,
                                   const struct ork_search *s, enum ork_verdict *verdict)
{
    struct ork_search *lazy;
    enum ork_status status = ork_detector_search(d, ORK_LAZY, &lazy);

    if (status != ORK_OK)
        return status;
    *verdict = ORK_VERDICT_MANIFEST;
    for (uint32_t r = 0; r < j->nprocs; r++) {
        if (ork_wfg_is_deadlocked(s->wfg, r) &&
            (!ork_wfg_is_deadlocked(lazy->wfg, r) || ork_detector_rank(d, r).moved))
            *verdict = ORK_VERDICT_POTENTIAL;
    }
    ork_search_destroy(lazy);
    return ORK_OK;
}

static enum ork_status judge_still(struct ork_judge *j, struct ork_detector *d,
                                   struct ork_census *census, const struct ork_search *s,
                                   uint64_t now_ns, bool final, enum ork_verdict *verdict)
{
    bool for_good;
    enum stillness stillness = NOT_STILL;
    uint32_t causes;

    if (mark_causes(j, d, s, &causes) != ORK_OK)
        return ORK_NOMEM;
    if (final)
        return judge_final(j, d, s, verdict);
    if (ork_census_is_fresh(census, 2, now_ns)) {
        stillness = compare_rounds(j, d, census, s);
        ork_census_expire(census);
    }
    switch (stillness) {
    case NOT_STILL:
        *verdict = ORK_VERDICT_WAIT;
        return ORK_OK;
    case RETURNED:
        *verdict = ORK_VERDICT_MOVED;
        return ORK_OK;
    case STILL:
        break;
    }
    enum ork_status status = is_for_good(j, d, census, s, now_ns, &for_good);
    *verdict = for_good ? ORK_VERDICT_MANIFEST : ORK_VERDICT_WAIT;
    return status;
}

enum ork_status ork_judge_state(struct ork_judge *j, struct ork_detector *d,
                                struct ork_census *census, uint64_t now_ns, bool final,
                                enum ork_verdict *verdict, struct ork_search **search,
                                const bool **root)
{
    struct ork_search *s;
    enum ork_status status = ork_detector_search(d, ORK_STRICT, &s);
    uint32_t passed, causes;

    if (status != ORK_OK)
        return status;
    if (!reserve_roots(j, ork_wfg_num_bottom(s->wfg) + 1) ||
        mark_causes(j, d, s, &causes) != ORK_OK) {
        ork_search_destroy(s);
        return ORK_NOMEM;
    }
    if (causes == 0) {
        *verdict = ORK_VERDICT_NONE;
    } else if (mark_moved_roots(j, d, s)) {
        *verdict = ORK_VERDICT_POTENTIAL;
    } else if (any_moved(j, d, s)) {
        status = ork_detector_relax(d, s, &passed);
        *verdict = passed > 0 ? ORK_VERDICT_MOVED : ORK_VERDICT_WAIT;
        if (status == ORK_OK && passed == 0)
            status = judge_still(j, d, census, s, now_ns, final, verdict);
    } else {
        status = judge_still(j, d, census, s, now_ns, final, verdict);
    }
    *root = j->root;
    if (status == ORK_OK &&
        (*verdict == ORK_VERDICT_POTENTIAL || *verdict == ORK_VERDICT_MANIFEST)) {
        *search = s;
        return ORK_OK;
    }
    ork_search_destroy(s);
    return status;
}
