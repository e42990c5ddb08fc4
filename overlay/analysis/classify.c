/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/analysis/classify.h"

#include "common/vec.h"
#include "overlay/analysis/patience.h"

#include <stdlib.h>
#include <string.h>

/* Time for a thread between publishing the record of a call and publishing that it is inside. */
#define ENTERING_NS UINT64_C(2000000000)

/* A thread that seems to be between these two. */
struct entering {
    uint64_t word, head; /* as in its snapshot */
    uint64_t since_ns;
};

struct ork_classifier {
    uint32_t nprocs;
    struct ork_patience *patience;
    enum ork_part *part;
    uint64_t *reported_head;   /* records published at the last report that calls of a rank
                                * returned, + 1 */
    struct entering *entering; /* by process */
    uint64_t certain_ns;       /* when a first cause, but not all, became certain; 0: not so */
    bool *root;
    uint32_t root_cap;
    bool *awaited; /* by process: a deadlocked process waits for it; NULL: not needed yet */
};

enum ork_status ork_classifier_create(uint32_t nprocs, struct ork_classifier **out)
{
    struct ork_classifier *j = calloc(1, sizeof(*j));

    if (j == NULL)
        return ORK_NOMEM;
    if (ork_classifier_grow(j, nprocs) != ORK_OK) {
        ork_classifier_destroy(j);
        return ORK_NOMEM;
    }
    *out = j;
    return ORK_OK;
}

static enum ork_status grow_patience(struct ork_classifier *j, uint32_t nprocs)
{
    return j->patience == NULL ? ork_patience_create(nprocs, &j->patience)
                               : ork_patience_grow(j->patience, nprocs);
}

enum ork_status ork_classifier_grow(struct ork_classifier *j, uint32_t nprocs)
{
    if (!ork_vec_extend(&j->reported_head, j->nprocs, nprocs, sizeof(*j->reported_head)) ||
        !ork_vec_extend(&j->part, j->nprocs, nprocs, sizeof(*j->part)) ||
        !ork_vec_extend(&j->entering, j->nprocs, nprocs, sizeof(*j->entering)) ||
        grow_patience(j, nprocs) != ORK_OK)
        return ORK_NOMEM;
    free(j->awaited);
    j->awaited = NULL;
    j->nprocs = nprocs;
    return ORK_OK;
}

void ork_classifier_restart(struct ork_classifier *j)
{
    ork_patience_restart(j->patience);
    memset(j->entering, 0, j->nprocs * sizeof(*j->entering));
    j->certain_ns = 0;
}

void ork_classifier_destroy(struct ork_classifier *j)
{
    if (j == NULL)
        return;
    ork_patience_destroy(j->patience);
    free(j->part);
    free(j->reported_head);
    free(j->entering);
    free(j->root);
    free(j->awaited);
    free(j);
}

static bool reserve_roots(struct ork_classifier *j, uint32_t count)
{
    return ork_vec_reserve(&j->root, &j->root_cap, count, sizeof(*j->root));
}

static bool is_done(const struct ork_detector *d, uint32_t r)
{
    return ork_detector_rank(d, r).status == ORK_RANK_DONE;
}

static bool mark_awaited(struct ork_classifier *j, const struct ork_search *s)
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

/* The process that ended, if the knot consists of one. Such a knot is only a cause if some process
 * waits for it. */
static uint32_t end_of(const struct ork_detector *d, const struct ork_search *s,
                       const struct ork_wfg_knot *knot)
{
    uint32_t end = knot->node[0];
    bool is_end =
        knot->count == 1 && ork_wfg_node(s->wfg, end).kind == ORK_WFG_PROCESS && is_done(d, end);

    return is_end ? end : UINT32_MAX;
}

/* The causes among the bottom knots. */
static enum ork_status mark_causes(struct ork_classifier *j, const struct ork_detector *d,
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

/* Mark the causes that have a member that moved. */
static bool mark_moved_roots(struct ork_classifier *j, const struct ork_detector *d,
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

static bool any_moved(struct ork_classifier *j, const struct ork_detector *d,
                      const struct ork_search *s)
{
    for (uint32_t r = 0; r < j->nprocs; r++) {
        if (ork_wfg_is_deadlocked(s->wfg, r) && ork_detector_rank(d, r).moved)
            return true;
    }
    return false;
}

/* ---- double collect (only the candidate's ranks: no other rank can release them) ---- */

enum difference { UNCHANGED, CHANGED, RETURNED };

/* RATIONALE: a rank that acts although its records put it in a deadlock is not in the state that
 * they describe: a thread polls without a record, or the rank overwrote its own state. It may then
 * do anything; to ask forever would stop the tool. */
static bool is_reported_again(struct ork_classifier *j, uint32_t r, uint64_t head)
{
    bool again = j->reported_head[r] == head + 1;

    j->reported_head[r] = head + 1;
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
static bool is_entering(struct ork_classifier *j, const struct ork_detector *d,
                        const struct ork_snapshot *snapshot, uint32_t r, uint32_t thread,
                        uint64_t now_ns)
{
    struct ork_record newest = ork_detector_run(d, r).newest;
    uint64_t word = snapshot->word[thread];
    struct entering *e = &j->entering[r];

    if (newest.kind == ORK_KIND_CONT || newest.thread != thread || word >> 8 >= snapshot->head)
        return false;
    if (e->word != word || e->head != snapshot->head)
        *e = (struct entering){.word = word, .head = snapshot->head, .since_ns = now_ns};
    return ork_elapsed_ns(now_ns, e->since_ns) < ENTERING_NS;
}

/* Every record of the rank is processed, and it is inside the call of the latest one. */
static enum difference look(struct ork_classifier *j, struct ork_detector *d,
                            const struct ork_snapshots *snapshots, uint32_t r, uint64_t now_ns)
{
    const struct ork_snapshot *snapshot = ork_snapshots_of(snapshots, 1, r);
    enum difference result = UNCHANGED;

    if (snapshot == NULL) /* it has just ended, which will be reported */
        return CHANGED;
    if (!ork_snapshots_is_current(snapshots, snapshot, r))
        return CHANGED;
    if (snapshot->others != ORK_OTHERS_NONE && ork_detector_set_busy(d, r, true) == ORK_OK)
        return RETURNED;
    if ((ork_detector_resting(d, r) & ~snapshot->resting) != 0) { /* some woke up */
        ork_detector_set_resting(d, r, ork_detector_resting(d, r) & snapshot->resting);
        return RETURNED;
    }
    for (uint32_t t = 0; t < snapshot->threads; t++) {
        uint64_t word = snapshot->word[t];
        if ((word & 0xff) == ORK_STATE_BLOCKED || is_resting(d, snapshot, r, t))
            continue;
        if (ork_detector_rank(d, r)
                .moved) /* known, and the record that let it return has not arrived yet */
            return CHANGED;
        if (is_entering(j, d, snapshot, r, t, now_ns))
            return CHANGED;
        if (ork_detector_returned(d, r, t) == ORK_OK)
            result = RETURNED;
    }
    if (result == RETURNED && is_reported_again(j, r, snapshot->head) &&
        ork_detector_set_busy(d, r, true) != ORK_OK)
        return CHANGED;
    return result;
}

/* Did nothing change between the two latest rounds? */
static bool is_unchanged(const struct ork_snapshots *snapshots, uint32_t r)
{
    const struct ork_snapshot *first = ork_snapshots_of(snapshots, 1, r);
    const struct ork_snapshot *second = ork_snapshots_of(snapshots, 0, r);

    return second != NULL && second->head == first->head && second->threads == first->threads &&
           second->others == first->others && second->resting == first->resting &&
           second->stirred == first->stirred &&
           memcmp(second->word, first->word, second->threads * sizeof(*second->word)) == 0;
}

/* Which of the deadlocked ranks are looked at. */
typedef bool rank_filter(const struct ork_detector *d, uint32_t r);

static bool any_rank(const struct ork_detector *d, uint32_t r)
{
    (void)d;
    (void)r;
    return true;
}

/* Only those that count as deadlocked because threads of them wait for others. */
static bool rests(const struct ork_detector *d, uint32_t r)
{
    return ork_detector_resting(d, r) != 0;
}

static bool awaits_lock(const struct ork_detector *d, uint32_t r)
{
    return ork_detector_rank(d, r).awaits_lock;
}

static bool is_member(const struct ork_detector *d, const struct ork_search *s, uint32_t r,
                      rank_filter *filter)
{
    return ork_wfg_is_deadlocked(s->wfg, r) && !is_done(d, r) && filter(d, r);
}

static enum difference compare_rounds(struct ork_classifier *j, struct ork_detector *d,
                                      struct ork_snapshots *snapshots, const struct ork_search *s,
                                      rank_filter *filter, uint64_t now_ns)
{
    enum difference result = UNCHANGED;

    for (uint32_t r = 0; r < j->nprocs; r++) {
        if (!is_member(d, s, r, filter))
            continue;
        enum difference one = look(j, d, snapshots, r, now_ns);
        if (one == CHANGED)
            return CHANGED;
        if (one == RETURNED)
            result = RETURNED;
    }
    for (uint32_t r = 0; r < j->nprocs && result == UNCHANGED; r++) {
        if (is_member(d, s, r, filter) && !is_unchanged(snapshots, r))
            return CHANGED;
    }
    return result;
}

static bool any_member(const struct ork_classifier *j, const struct ork_detector *d,
                       const struct ork_search *s, rank_filter *filter)
{
    for (uint32_t r = 0; r < j->nprocs; r++) {
        if (is_member(d, s, r, filter))
            return true;
    }
    return false;
}

static enum difference look_at(struct ork_classifier *j, struct ork_detector *d,
                               struct ork_snapshots *snapshots, const struct ork_search *s,
                               rank_filter *filter, uint64_t now_ns)
{
    if (!any_member(j, d, s, filter))
        return UNCHANGED;
    if (!ork_snapshots_is_fresh(snapshots, 2, now_ns))
        return CHANGED;
    enum difference result = compare_rounds(j, d, snapshots, s, filter, now_ns);
    if (result != UNCHANGED)
        ork_snapshots_expire(snapshots);
    return result;
}

/* Are the ranks still in the state that their records only suggest?
 * RATIONALE: the records do not show that a thread waits for another one, so only what was seen
 * just now counts. Not even a call that succeeded by luck may depend on it. Nor do they show who
 * has a lock: the record that releases it may still be under way, although those of its next owner
 * are here. Who owns it is known when another rank is seen to wait for it. */
static enum difference look_at_unrecorded(struct ork_classifier *j, struct ork_detector *d,
                                          struct ork_snapshots *snapshots,
                                          const struct ork_search *s, uint64_t now_ns)
{
    enum difference difference = look_at(j, d, snapshots, s, rests, now_ns);

    return difference == UNCHANGED && any_moved(j, d, s)
               ? look_at(j, d, snapshots, s, awaits_lock, now_ns)
               : difference;
}

/* ---- is it permanent? ---- */

static bool is_certain(const struct ork_classifier *j, const struct ork_detector *d,
                       const struct ork_search *permissive, uint32_t r)
{
    return r >= j->nprocs || ork_wfg_is_deadlocked(permissive->wfg, r) || is_done(d, r);
}

/* Does it deadlock with every library? */
static bool is_knot_certain(const struct ork_classifier *j, const struct ork_detector *d,
                            const struct ork_search *s, const struct ork_search *permissive,
                            uint32_t k)
{
    struct ork_wfg_knot knot = ork_wfg_bottom(s->wfg, k);

    for (uint32_t i = 0; i < knot.count; i++) {
        if (!is_certain(j, d, permissive, knot.node[i]))
            return false;
    }
    return true;
}

/* Processor time to copy a byte: of a send without a receive, which a library may buffer; of data
 * that may be on its way through a network. */
enum { NS_PER_BUFFERED_BYTE = 1, NS_PER_BYTE = 10 };
#define VOLUME_MAX (UINT64_C(1) << 40)

/* Processor time for the data of the ranks that only buffering or a permissive collective could
 * free. *helpers: their calls may also wait for messages to or from ranks that are not deadlocked.
 * RATIONALE: a send needs only its receiver, which is deadlocked. MPI_Waitall, MPI_Sendrecv or a
 * collective has matched parts, which are complete in the strict analysis but may really be under
 * way. */
static uint64_t volume_ns(const struct ork_classifier *j, const struct ork_detector *d,
                          const struct ork_search *s, const struct ork_search *permissive,
                          bool *helpers)
{
    uint64_t ns = 0;

    *helpers = false;
    for (uint32_t r = 0; r < j->nprocs; r++) {
        if (!ork_wfg_is_deadlocked(s->wfg, r) || is_certain(j, d, permissive, r))
            continue;
        bool sends = ork_detector_rank(d, r).call.kind == ORK_KIND_SEND;
        uint64_t bytes = ork_detector_volume(d, r);
        ns += (bytes < VOLUME_MAX ? bytes : VOLUME_MAX) *
              (sends ? NS_PER_BUFFERED_BYTE : NS_PER_BYTE);
        *helpers |= !sends;
    }
    return ns;
}

static void set_parts(struct ork_classifier *j, const struct ork_detector *d,
                      const struct ork_snapshots *snapshots, const struct ork_search *s,
                      bool helpers)
{
    for (uint32_t r = 0; r < j->nprocs; r++) {
        bool gone = is_done(d, r) || ork_snapshots_of(snapshots, 0, r) == NULL;
        j->part[r] = gone                               ? ORK_PART_NONE
                     : ork_wfg_is_deadlocked(s->wfg, r) ? ORK_PART_STUCK
                     : helpers                          ? ORK_PART_HELPER
                                                        : ORK_PART_NONE;
    }
}

/* Have these ranks had the time that could let the uncertain causes continue? */
static bool is_time_up(struct ork_classifier *j, const struct ork_detector *d,
                       const struct ork_snapshots *snapshots, const struct ork_search *s,
                       const struct ork_search *permissive, uint64_t now_ns)
{
    bool helpers;
    uint64_t ns = volume_ns(j, d, s, permissive, &helpers);

    set_parts(j, d, snapshots, s, helpers);
    return ork_patience_observe(j->patience, snapshots, j->part, ns, now_ns);
}

/* Should the report wait, so that it can name all causes? */
static bool may_others_join(struct ork_classifier *j, uint64_t now_ns)
{
    if (j->certain_ns == 0)
        j->certain_ns = now_ns;
    return ork_elapsed_ns(now_ns, j->certain_ns) < ORK_CLASSIFIER_MERGE_NS;
}

/* Leave in j->root the permanent causes: those that deadlock with every library, and all if time is
 * up. */
static bool mark_good_roots(struct ork_classifier *j, const struct ork_detector *d,
                            const struct ork_snapshots *snapshots, const struct ork_search *s,
                            const struct ork_search *permissive, uint64_t now_ns)
{
    uint32_t causes = 0, certain = 0;

    for (uint32_t k = 0; k < ork_wfg_num_bottom(s->wfg); k++) {
        causes += j->root[k];
        certain += j->root[k] && is_knot_certain(j, d, s, permissive, k);
    }
    if (certain == 0)
        j->certain_ns = 0;
    if (certain == causes || is_time_up(j, d, snapshots, s, permissive, now_ns))
        return true;
    if (certain == 0 || may_others_join(j, now_ns))
        return false;
    for (uint32_t k = 0; k < ork_wfg_num_bottom(s->wfg); k++)
        j->root[k] = j->root[k] && is_knot_certain(j, d, s, permissive, k);
    return true;
}

static enum ork_status is_for_good(struct ork_classifier *j, struct ork_detector *d,
                                   const struct ork_snapshots *snapshots,
                                   const struct ork_search *s, uint64_t now_ns, bool *yes)
{
    struct ork_search *permissive;
    enum ork_status status = ork_detector_search(d, ORK_PERMISSIVE, &permissive);

    if (status != ORK_OK)
        return status;
    *yes = mark_good_roots(j, d, snapshots, s, permissive, now_ns);
    ork_search_destroy(permissive);
    return ORK_OK;
}

/* All ranks have ended: what is not deadlocked under every implementation is potential, and so is
 * what the run passed. */
static enum ork_status classify_final(struct ork_classifier *j, struct ork_detector *d,
                                      const struct ork_search *s, enum ork_verdict *verdict)
{
    struct ork_search *permissive;
    enum ork_status status = ork_detector_search(d, ORK_PERMISSIVE, &permissive);

    if (status != ORK_OK)
        return status;
    *verdict = ORK_VERDICT_MANIFEST;
    for (uint32_t r = 0; r < j->nprocs; r++) {
        if (ork_wfg_is_deadlocked(s->wfg, r) &&
            (!ork_wfg_is_deadlocked(permissive->wfg, r) || ork_detector_rank(d, r).moved))
            *verdict = ORK_VERDICT_POTENTIAL;
    }
    ork_search_destroy(permissive);
    return ORK_OK;
}

static enum ork_status classify_unchanged(struct ork_classifier *j, struct ork_detector *d,
                                          struct ork_snapshots *snapshots,
                                          const struct ork_search *s, uint64_t now_ns, bool final,
                                          enum ork_verdict *verdict)
{
    bool for_good = false;
    enum difference difference = CHANGED;
    uint32_t causes;

    if (mark_causes(j, d, s, &causes) != ORK_OK)
        return ORK_NOMEM;
    if (final)
        return classify_final(j, d, s, verdict);
    if (ork_snapshots_is_fresh(snapshots, 2, now_ns)) {
        difference = compare_rounds(j, d, snapshots, s, any_rank, now_ns);
        ork_snapshots_expire(snapshots);
    }
    switch (difference) {
    case CHANGED:
        *verdict = ORK_VERDICT_WAIT;
        return ORK_OK;
    case RETURNED:
        *verdict = ORK_VERDICT_MOVED;
        return ORK_OK;
    case UNCHANGED:
        break;
    }
    enum ork_status status = is_for_good(j, d, snapshots, s, now_ns, &for_good);
    *verdict = for_good ? ORK_VERDICT_MANIFEST : ORK_VERDICT_WAIT;
    return status;
}

/* May a collective call of a rank still return an error? Not if the rank was in it at two looks. */
static bool may_any_fail(const struct ork_classifier *j, const struct ork_detector *d,
                         struct ork_snapshots *snapshots, const struct ork_search *s,
                         uint64_t now_ns)
{
    bool is_fresh = ork_snapshots_is_fresh(snapshots, 2, now_ns);

    for (uint32_t r = 0; r < j->nprocs; r++) {
        if (ork_wfg_is_deadlocked(s->wfg, r) && ork_detector_rank(d, r).unsure &&
            !(is_fresh && is_unchanged(snapshots, r)))
            return true;
    }
    return false;
}

enum ork_status ork_classifier_run(struct ork_classifier *j, struct ork_detector *d,
                                   struct ork_snapshots *snapshots, uint64_t now_ns, bool final,
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
    enum difference unrecorded =
        causes > 0 && !final ? look_at_unrecorded(j, d, snapshots, s, now_ns) : UNCHANGED;
    if (causes == 0) {
        *verdict = ORK_VERDICT_NONE;
    } else if (!final && may_any_fail(j, d, snapshots, s, now_ns)) {
        *verdict = ORK_VERDICT_WAIT;
    } else if (unrecorded != UNCHANGED) {
        *verdict = unrecorded == RETURNED ? ORK_VERDICT_MOVED : ORK_VERDICT_WAIT;
    } else if (mark_moved_roots(j, d, s)) {
        *verdict = ORK_VERDICT_POTENTIAL;
    } else if (any_moved(j, d, s)) {
        status = ork_detector_relax(d, s, &passed);
        *verdict = passed > 0 ? ORK_VERDICT_MOVED : ORK_VERDICT_WAIT;
        if (status == ORK_OK && passed == 0)
            status = classify_unchanged(j, d, snapshots, s, now_ns, final, verdict);
    } else {
        status = classify_unchanged(j, d, snapshots, s, now_ns, final, verdict);
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
