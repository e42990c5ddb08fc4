/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/root/classify.h"

#include "common/hash.h"
#include "common/vec.h"
#include "overlay/root/double_collect.h"
#include "overlay/root/patience.h"
#include "overlay/root/policy.h"

#include <stdlib.h>
#include <string.h>

struct ork_classifier {
    uint32_t nprocs;
    struct ork_patience *patience;
    struct ork_patience *failing; /* with the calls that may still fail */
    enum ork_part *part;
    struct ork_double_collect *collect;
    uint64_t certain_ns; /* when a first cause, but not all, became certain; 0: not so */
    uint64_t unseen_key; /* the deadlock that was looked at for threads without a call */
    bool *root;
    uint32_t root_cap;
    const struct ork_usages *usages; /* while it runs; NULL: no mistakes are known */
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

static enum ork_status grow_patience(struct ork_patience **patience, uint32_t nprocs)
{
    return *patience == NULL ? ork_patience_create(nprocs, patience)
                             : ork_patience_grow(*patience, nprocs);
}

enum ork_status ork_classifier_grow(struct ork_classifier *j, uint32_t nprocs)
{
    if (!ork_vec_extend(&j->part, j->nprocs, nprocs, sizeof(*j->part)) ||
        ork_double_collect_grow(&j->collect, nprocs) != ORK_OK ||
        grow_patience(&j->patience, nprocs) != ORK_OK ||
        grow_patience(&j->failing, nprocs) != ORK_OK)
        return ORK_NOMEM;
    free(j->awaited);
    j->awaited = NULL;
    j->nprocs = nprocs;
    return ORK_OK;
}

void ork_classifier_restart(struct ork_classifier *j)
{
    ork_patience_restart(j->patience);
    ork_patience_restart(j->failing);
    ork_double_collect_restart(j->collect);
    j->certain_ns = 0;
}

void ork_classifier_destroy(struct ork_classifier *j)
{
    if (j == NULL)
        return;
    ork_patience_destroy(j->patience);
    ork_patience_destroy(j->failing);
    free(j->part);
    ork_double_collect_destroy(j->collect);
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

/* ---- are the ranks where their records say? ---- */

/* Are the ranks still in the state that their records only suggest?
 * RATIONALE: the records do not show that a thread waits for another one, so only what was seen
 * just now counts. Not even a call that succeeded by luck may depend on it. Nor do they show who
 * has a lock: the record that releases it may still be under way, although those of its next owner
 * are here. Who owns it is known when another rank is seen to wait for it. */
static enum ork_difference look_at_unrecorded(struct ork_classifier *j, struct ork_detector *d,
                                              struct ork_snapshots *snapshots,
                                              const struct ork_search *s, uint64_t now_ns)
{
    enum ork_difference difference =
        ork_double_collect_look(j->collect, d, snapshots, s, ORK_LOOK_AT_RESTING, now_ns);

    return difference == ORK_UNCHANGED && any_moved(j, d, s)
               ? ork_double_collect_look(j->collect, d, snapshots, s, ORK_LOOK_AT_LOCKS, now_ns)
               : difference;
}

/* ---- is it permanent? ---- */

/* Does no library let it continue as long as the others wait? */
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
    uint32_t causes;

    if (mark_causes(j, d, s, &causes) != ORK_OK)
        return ORK_NOMEM;
    if (final)
        return classify_final(j, d, s, verdict);
    switch (ork_double_collect_look(j->collect, d, snapshots, s, ORK_LOOK_AT_ALL, now_ns)) {
    case ORK_CHANGED:
        *verdict = ORK_VERDICT_WAIT;
        return ORK_OK;
    case ORK_RETURNED:
        *verdict = ORK_VERDICT_MOVED;
        return ORK_OK;
    case ORK_UNCHANGED:
        break;
    }
    ork_snapshots_expire(snapshots); /* another look needs newer ones */
    enum ork_status status = is_for_good(j, d, snapshots, s, now_ns, &for_good);
    *verdict = for_good ? ORK_VERDICT_MANIFEST : ORK_VERDICT_WAIT;
    return status;
}

/* ---- threads that have made no call yet ---- */

/* Is the rank deadlocked only if no thread acts that the records do not show? */
static bool may_have_unseen(const struct ork_detector *d, const struct ork_search *s, uint32_t r)
{
    struct ork_rank_view v = ork_detector_rank(d, r);

    return ork_wfg_is_deadlocked(s->wfg, r) && v.status != ORK_RANK_DONE && v.several_may_call;
}

/* Of these ranks, and the calls in which strict semantics holds them; 0: there are none. */
static uint64_t key_of_unseen(const struct ork_classifier *j, const struct ork_detector *d,
                              const struct ork_search *s)
{
    uint64_t key = 0, word[sizeof(struct ork_record) / sizeof(uint64_t)];

    for (uint32_t r = 0; r < j->nprocs; r++) {
        if (!may_have_unseen(d, s, r))
            continue;
        struct ork_record call = ork_detector_rank(d, r).call;
        memcpy(word, &call, sizeof(word));
        key = ork_hash_mix(key ^ (r + UINT64_C(1)));
        for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++)
            key = ork_hash_mix(key ^ word[i]);
        key |= 1;
    }
    return key;
}

/* The records do not show a thread before its first call, which may be what the others wait for.
 * RATIONALE: the look at the ranks is newer than the calls that hold them, and all records that
 * were published before it are here. So they hold the calls of every thread that it does not see
 * act. */
static bool may_unseen_act(struct ork_classifier *j, const struct ork_detector *d,
                           struct ork_snapshots *snapshots, const struct ork_search *s,
                           uint64_t now_ns)
{
    uint64_t key = key_of_unseen(j, d, s);

    if (key == 0)
        return false;
    if (key != j->unseen_key) {
        j->unseen_key = key;
        ork_snapshots_expire(snapshots);
    }
    /* the first round may have been under way */
    if (!ork_snapshots_is_fresh(snapshots, 2, now_ns))
        return true;
    for (uint32_t r = 0; r < j->nprocs; r++) {
        const struct ork_snapshot *snapshot = ork_snapshots_of(snapshots, 0, r);
        if (may_have_unseen(d, s, r) && (snapshot == NULL || snapshot->others != ORK_OTHERS_NONE ||
                                         ork_snapshots_taken(snapshots, r) < snapshot->head))
            return true;
    }
    return false;
}

/* RATIONALE: a thread that always runs, and never calls MPI, would hold up the analysis for the
 * rest of the run. */
static enum ork_status wait_for_unseen(struct ork_detector *d, const struct ork_search *s,
                                       enum ork_verdict *verdict)
{
    uint32_t passed = 0;
    enum ork_status status = ORK_OK;

    if (ork_detector_counts(d).queued >= ROOT_QUEUE_FIRST)
        status = ork_detector_relax(d, s, &passed);
    *verdict = passed > 0 ? ORK_VERDICT_MOVED : ORK_VERDICT_WAIT;
    return status;
}

/* ---- calls that may still fail ---- */

/* May the call in which it is still return an error, whatever the other ranks do? Perhaps it has
 * only just entered the call, and waits for a processor. */
static bool may_fail(const struct ork_classifier *j, const struct ork_detector *d, uint32_t r)
{
    struct ork_rank_view v = ork_detector_rank(d, r);

    if (v.status == ORK_RANK_DONE || v.moved)
        return false;
    struct ork_record newest = ork_detector_run(d, r).newest;
    return v.unsure || (j->usages != NULL && ork_usages_may_fail(j->usages, r, &newest));
}

/* Has it left the call without an error? RATIONALE: a state that is older than the newest record
 * may be that of a rank which is about to enter the call. */
static bool has_returned(const struct ork_detector *d, const struct ork_snapshots *snapshots,
                         const struct ork_snapshot *now, uint32_t r)
{
    uint32_t thread = ork_detector_run(d, r).newest.thread;
    uint64_t word = thread < now->threads ? now->word[thread] : ORK_STATE_BLOCKED;

    return (word & 0xff) != ORK_STATE_BLOCKED && word >> 8 >= now->head &&
           ork_snapshots_is_current(snapshots, now, r);
}

/* Let the deadlocked ranks whose call may fail take part. False: there are none. */
static bool set_failing_parts(struct ork_classifier *j, const struct ork_detector *d,
                              const struct ork_search *s)
{
    bool any = false;

    for (uint32_t r = 0; r < j->nprocs; r++) {
        bool takes_part = ork_wfg_is_deadlocked(s->wfg, r) && may_fail(j, d, r);
        j->part[r] = takes_part ? ORK_PART_STUCK : ORK_PART_NONE;
        any |= takes_part;
    }
    return any;
}

/* Leave out those that have left their call. ORK_CHANGED: one has ended, which will be reported;
 * ORK_RETURNED: none is left. */
static enum ork_difference leave_out_returned(struct ork_classifier *j,
                                              const struct ork_detector *d,
                                              const struct ork_snapshots *snapshots)
{
    enum ork_difference result = ORK_RETURNED;

    for (uint32_t r = 0; r < j->nprocs; r++) {
        if (j->part[r] == ORK_PART_NONE)
            continue;
        const struct ork_snapshot *now = ork_snapshots_of(snapshots, 0, r);
        if (now == NULL)
            return ORK_CHANGED;
        if (has_returned(d, snapshots, now, r))
            j->part[r] = ORK_PART_NONE;
        else
            result = ORK_UNCHANGED;
    }
    return result;
}

/* May a rank of the deadlock still leave its call with an error? Not after it had as much time as a
 * send that may be buffered has. */
static bool may_any_fail(struct ork_classifier *j, const struct ork_detector *d,
                         struct ork_snapshots *snapshots, const struct ork_search *s,
                         uint64_t now_ns)
{
    if (!set_failing_parts(j, d, s))
        return false;
    if (!ork_snapshots_is_fresh(snapshots, 2, now_ns))
        return true;
    enum ork_difference difference = leave_out_returned(j, d, snapshots);
    if (difference != ORK_UNCHANGED)
        return difference == ORK_CHANGED;
    if (ork_patience_observe(j->failing, snapshots, j->part, 0, now_ns))
        return false;
    ork_snapshots_expire(snapshots); /* another look needs newer ones */
    return true;
}

enum ork_status ork_classifier_run(struct ork_classifier *j, struct ork_detector *d,
                                   struct ork_snapshots *snapshots, const struct ork_usages *usages,
                                   uint64_t now_ns, bool final, enum ork_verdict *verdict,
                                   struct ork_search **search, const bool **root)
{
    struct ork_search *s;

    j->usages = usages;
    enum ork_status status = ork_detector_search(d, ORK_STRICT, &s);
    uint32_t passed, causes;

    if (status != ORK_OK)
        return status;
    if (!reserve_roots(j, ork_wfg_num_bottom(s->wfg) + 1) ||
        mark_causes(j, d, s, &causes) != ORK_OK) {
        ork_search_destroy(s);
        return ORK_NOMEM;
    }
    enum ork_difference unrecorded =
        causes > 0 && !final ? look_at_unrecorded(j, d, snapshots, s, now_ns) : ORK_UNCHANGED;
    if (causes == 0) {
        *verdict = ORK_VERDICT_NONE;
    } else if (!final && may_any_fail(j, d, snapshots, s, now_ns)) {
        *verdict = ORK_VERDICT_WAIT;
    } else if (unrecorded != ORK_UNCHANGED) {
        *verdict = unrecorded == ORK_RETURNED ? ORK_VERDICT_MOVED : ORK_VERDICT_WAIT;
    } else if (mark_moved_roots(j, d, s)) {
        *verdict = ORK_VERDICT_POTENTIAL;
        if (!final && may_unseen_act(j, d, snapshots, s, now_ns))
            status = wait_for_unseen(d, s, verdict);
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
