/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrivals of many ranks at once. If they form a whole blocking collective call, and no rank is
 * held, the last arrival completes the wave at once. It is then one bulk wave, and each member
 * learns of it at its next action. */
#include "detector/check/exchange.h"
#include "detector/check/happens_before.h"
#include "detector/check/in_step.h"
#include "detector/coll/bulk.h"
#include "detector/history/history.h"

#include "common/hash.h"

#include <stdlib.h>
#include <string.h>

/* ---- spans ---- */

static int compare_spans(const void *a, const void *b)
{
    const struct ork_span *x = a;
    const struct ork_span *y = b;

    return (x->first > y->first) - (x->first < y->first);
}

static bool is_ascending(const struct ork_span *span, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        if (ork_span_end(&span[i - 1]) > span[i].first)
            return false;
    }
    return true;
}

static bool are_valid(const struct ork_detector *d, const struct ork_group_record *a)
{
    for (uint32_t i = 0; i < a->num_spans; i++) {
        if (a->span[i].count == 0 || ork_span_end(&a->span[i]) > d->nprocs)
            return false;
    }
    return is_ascending(a->span, a->num_spans);
}

/* Merge adjacent spans; returns how many are left. */
static uint32_t coalesce(struct ork_span *span, uint32_t n)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (kept > 0 && ork_span_end(&span[kept - 1]) == span[i].first)
            span[kept - 1].count += span[i].count;
        else
            span[kept++] = span[i];
    }
    return kept;
}

/* Write the ranks of all group records to d->bulk.span, *num spans. */
static enum ork_status unite(struct ork_detector *d, const struct ork_group_record *group_record,
                             uint32_t n, uint32_t *num)
{
    uint64_t total = 0;
    uint32_t have = 0;

    for (uint32_t i = 0; i < n; i++) {
        total += group_record[i].num_spans;
        if (total > d->nprocs || !are_valid(d, &group_record[i]))
            return ORK_INVALID;
    }
    if (!ork_grow(d, &d->bulk.span, &d->bulk.span_cap, (uint32_t)total, sizeof(*d->bulk.span)))
        return ORK_NOMEM;
    for (uint32_t i = 0; i < n; i++) {
        if (group_record[i].num_spans > 0)
            memcpy(d->bulk.span + have, group_record[i].span,
                   group_record[i].num_spans * sizeof(*d->bulk.span));
        have += group_record[i].num_spans;
    }
    if (!is_ascending(d->bulk.span, have)) {
        qsort(d->bulk.span, have, sizeof(*d->bulk.span), compare_spans);
        if (!is_ascending(d->bulk.span, have))
            return ORK_INVALID;
    }
    *num = coalesce(d->bulk.span, have);
    return ORK_OK;
}

static uint64_t ranks_of(const struct ork_span *span, uint32_t n)
{
    uint64_t ranks = 0;

    for (uint32_t i = 0; i < n; i++)
        ranks += span[i].count;
    return ranks;
}

/* ---- repetition of the latest bulk wave ---- */

static void forget_latest(struct ork_detector *d)
{
    ork_bulk_wave_put(d->bulk.latest);
    d->bulk.latest = NULL;
}

static bool is_same(const struct ork_group_record *a, const struct ork_group_record *b)
{
    return a->num_spans == b->num_spans && ork_record_is_same(&a->call, &b->call) &&
           (a->num_spans == 0 || memcmp(a->span, b->span, a->num_spans * sizeof(*a->span)) == 0);
}

/* Does it repeat the latest bulk wave? */
static bool is_again(const struct ork_detector *d, const struct ork_group_record *group_record,
                     uint32_t n)
{
    const struct bulk_wave *g = d->bulk.latest;
    bool same = g != NULL && g->num_group_records == n && !d->model.dataflow &&
                d->bulk.latest_set->definitions == d->definitions + 1;

    for (uint32_t i = 0; same && i < n; i++)
        same = is_same(&g->group_record[i], &group_record[i]);
    return same;
}

/* ---- the communicators ---- */

static struct comm_set *comm_set_find(struct ork_detector *d, uint32_t local, uint32_t num_spans)
{
    for (uint32_t i = 0; i < COMM_SETS; i++) {
        struct comm_set *y = &d->bulk.comm_set[i];
        if (y->definitions == d->definitions + 1 && y->local == local &&
            y->num_spans == num_spans &&
            memcmp(y->span, d->bulk.span, num_spans * sizeof(*d->bulk.span)) == 0)
            return y;
    }
    return NULL;
}

static bool comm_set_add(struct ork_detector *d, struct comm_set *y, struct comm *c)
{
    if (c->gathered_in == d->bulk.resolutions) {
        ORK_ASSERT(c->gathered < c->size); /* the processes are different members */
        c->gathered++;
        return true;
    }
    if (c->inter || c->self ||
        !ork_grow(d, &y->comm, &y->comm_cap, y->num_comms + 1, sizeof(struct comm *)))
        return false;
    c->gathered_in = d->bulk.resolutions;
    c->gathered = 1;
    y->comm[y->num_comms++] = c;
    y->least = c->size < y->least ? c->size : y->least;
    return true;
}

static bool comm_set_gather(struct ork_detector *d, struct comm_set *y)
{
    for (uint32_t i = 0; i < y->num_spans; i++) {
        for (uint32_t k = 0; k < y->span[i].count; k++) {
            struct comm_ref *ref = ork_comm_ref(d->proc[y->span[i].first + k], y->local);
            if (ref == NULL || !comm_set_add(d, y, ref->comm))
                return false;
        }
    }
    for (uint32_t i = 0; i < y->num_comms; i++) {
        if (y->comm[i]->gathered < y->comm[i]->size)
            return false;
    }
    return true;
}

/* The communicators whose members together are exactly the ranks of d->bulk.span. NULL: there are
 * no such communicators. */
static struct comm_set *comm_set_of(struct ork_detector *d, uint32_t local, uint32_t num_spans)
{
    struct comm_set *y = comm_set_find(d, local, num_spans);

    if (y != NULL || num_spans == 0)
        return y;
    y = &d->bulk.comm_set[d->bulk.next_set++ % COMM_SETS];
    y->definitions = 0;
    forget_latest(d);
    if (!ork_grow(d, &y->span, &y->span_cap, num_spans, sizeof(*y->span)))
        return NULL;
    memcpy(y->span, d->bulk.span, num_spans * sizeof(*y->span));
    y->num_spans = num_spans;
    y->num_comms = 0;
    y->local = local;
    y->least = UINT32_MAX;
    d->bulk.resolutions++;
    bool is_world = local == ORK_COMM_WORLD && d->num_jobs == 1;
    if (is_world ? y->span[0].count < d->nprocs || !comm_set_add(d, y, d->job[0]->world)
                 : !comm_set_gather(d, y))
        return NULL;
    y->definitions = d->definitions + 1;
    return y;
}

/* ---- may they pass? ---- */

/* Does the call do nothing but wait for the other members? */
static bool only_waits(const struct ork_record *rec)
{
    return rec->kind == ORK_KIND_COLL && ork_coll_has(rec->mode, ORK_IS_OPERATION) &&
           rec->count == 0 && rec->thread == 0 &&
           (rec->flags & (ORK_F_NONBLOCKING | ORK_F_PERSISTENT | ORK_F_FALLIBLE)) == 0;
}

static bool are_one_call(const struct ork_group_record *group_record, uint32_t n)
{
    const struct ork_record *first = &group_record[0].call;

    for (uint32_t i = 0; i < n; i++) {
        const struct ork_record *rec = &group_record[i].call;
        if (!only_waits(rec) || rec->comm != first->comm || rec->mode != first->mode ||
            rec->peer != first->peer || rec->arg != first->arg || !ork_exchange_agrees(first, rec))
            return false;
    }
    return true;
}

static bool can_all_pass_in_bulk(const struct ork_detector *d, const struct comm_set *y)
{
    uint8_t bulk_blockers = 0;

    ORK_ASSERT(d->failed || d->bulk.num_bulk_blocked <= d->nprocs);
    for (uint32_t i = 0; i < y->num_spans && d->bulk.num_bulk_blocked > 0; i++) {
        for (uint32_t k = 0; k < y->span[i].count; k++)
            bulk_blockers |= d->bulk.bulk_blockers[y->span[i].first + k];
    }
    return bulk_blockers == 0;
}

static bool may_pass(const struct ork_detector *d, const struct comm_set *y,
                     const struct ork_record *rec)
{
    if (rec->peer >= 0 && (uint32_t)rec->peer >= y->least) /* the root is not a rank */
        return false;
    for (uint32_t i = 0; i < y->num_comms; i++) {
        if (y->comm[i]->waves > 0)
            return false;
    }
    return can_all_pass_in_bulk(d, y);
}

/* ---- where the members are ---- */

/* The place of the call site at all these ranks; 0: there are several, or it is not known. */
static uint64_t find_place(const struct ork_detector *d, const struct ork_span *span, uint32_t site)
{
    uint64_t place = ork_call_place(&d->proc[span->first]->places, site);

    for (uint32_t i = 1; i < span->count; i++) {
        if (ork_call_place(&d->proc[span->first + i]->places, site) != place)
            return 0;
    }
    return place;
}

static uint64_t place_of(struct ork_detector *d, const struct ork_span *span, uint32_t site)
{
    uint32_t slot = ork_hash_short((uint64_t)site << 32 ^ span->first) % SPAN_PLACES;
    struct span_place *known = &d->bulk.span_place[slot];

    if (known->defined != d->bulk.places_defined + 1 || known->site != site ||
        known->span.first != span->first || known->span.count != span->count)
        *known = (struct span_place){.defined = d->bulk.places_defined + 1,
                                     .place = find_place(d, span, site),
                                     .span = *span,
                                     .site = site};
    return known->place;
}

static void add_places(struct ork_detector *d, const struct ork_group_record *a,
                       struct wave_sides *sides)
{
    for (uint32_t i = 0; i < a->num_spans; i++) {
        const struct ork_span *span = &a->span[i];
        uint64_t place = place_of(d, span, a->call.site);
        for (uint32_t k = 0; place == 0 && k < span->count; k++)
            ork_sides_add(sides, ork_call_place(&d->proc[span->first + k]->places, a->call.site),
                          &a->call, span->first + k, 1);
        if (place != 0)
            ork_sides_add(sides, place, &a->call, span->first, span->count);
    }
}

/* RATIONALE: the ranks of a side may be members of several communicators, so they are only looked
 * at if all are at one place, or of one communicator. */
static struct wave_sides sides_of(struct ork_detector *d, const struct bulk_wave *g, uint32_t comms)
{
    struct wave_sides sides = {0};

    for (uint32_t i = 0; i < g->num_group_records && !sides.is_scattered; i++)
        add_places(d, &g->group_record[i], &sides);
    sides.is_scattered |= comms > 1 && sides.side[1].members > 0;
    return sides;
}

/* ---- passing ---- */

static struct bulk_wave *bulk_wave_new(struct ork_detector *d,
                                       const struct ork_group_record *group_record, uint32_t n,
                                       uint64_t ranks)
{
    size_t spans = 0;

    for (uint32_t i = 0; i < n; i++)
        spans += group_record[i].num_spans;
    struct bulk_wave *g =
        malloc(sizeof(*g) + n * sizeof(g->group_record[0]) + spans * sizeof(struct ork_span));
    if (g == NULL) {
        d->failed = true;
        return NULL;
    }
    *g = (struct bulk_wave){.refs = 1, .ranks = ranks, .num_group_records = n};
    struct ork_span *to = (struct ork_span *)(void *)&g->group_record[n];
    for (uint32_t i = 0; i < n; i++) {
        g->group_record[i] = group_record[i];
        g->group_record[i].span = to;
        if (group_record[i].num_spans > 0)
            memcpy(to, group_record[i].span, group_record[i].num_spans * sizeof(*to));
        to += group_record[i].num_spans;
    }
    return g;
}

/* RATIONALE: a wave that repeats the one before it is the same object. A member that learns of it
 * compares its number, and the history stores each repetition. */
static void pass(struct ork_detector *d, const struct comm_set *y, struct bulk_wave *g)
{
    bool is_recorded = !d->history.full;

    g->number = ++d->bulk.bulk_waves;
    g->seq = ++d->seq;
    d->counts.records += g->ranks;
    d->counts.calls += g->ranks;
    d->counts.collectives += y->num_comms;
    d->counts.at_once += y->num_comms;
    for (uint32_t i = 0; i < y->num_comms; i++) {
        struct comm *c = y->comm[i];
        ORK_ASSERT(c->waves == 0); /* so all members have made the same number of calls */
        ork_in_step_follow(d, c, c->base, &g->sides);
        c->passed++;
        c->base++;
        c->recorded |= is_recorded;
        if (c->bulk_wave == g)
            continue;
        ork_bulk_wave_put(c->bulk_wave);
        c->bulk_wave = g;
        g->refs++;
    }
    ork_history_pass(d, g, y->num_comms == 1 ? y->comm[0] : NULL);
}

enum ork_status ork_bulk_pass(struct ork_detector *d, const struct ork_group_record *group_record,
                              uint32_t n, bool *passed)
{
    uint32_t num_spans = 0;

    *passed = is_again(d, group_record, n) && ork_history_has_room(d, d->bulk.latest->ranks) &&
              may_pass(d, d->bulk.latest_set, &group_record[0].call);
    if (*passed) {
        pass(d, d->bulk.latest_set, d->bulk.latest);
        return d->failed ? ORK_NOMEM : ORK_OK;
    }
    enum ork_status status = unite(d, group_record, n, &num_spans);

    if (status != ORK_OK || d->failed)
        return d->failed ? ORK_NOMEM : status;
    uint64_t ranks = ranks_of(d->bulk.span, num_spans);
    struct comm_set *y = NULL;
    if (n > 0 && are_one_call(group_record, n) && !d->model.dataflow &&
        ork_history_has_room(d, ranks))
        y = comm_set_of(d, group_record[0].call.comm, num_spans);
    if (y == NULL || !may_pass(d, y, &group_record[0].call))
        return d->failed ? ORK_NOMEM : ORK_OK;
    struct bulk_wave *g = bulk_wave_new(d, group_record, n, ranks);
    if (g != NULL) {
        g->sides = sides_of(d, g, y->num_comms);
        pass(d, y, g);
        forget_latest(d);
        d->bulk.latest = g;
        d->bulk.latest_set = y;
        *passed = true;
    }
    return d->failed ? ORK_NOMEM : ORK_OK;
}

/* ---- members learn of a bulk wave ---- */

/* The latest bulk wave that `p` does not know of yet. */
static const struct comm_ref *find_latest(const struct proc *p)
{
    const struct comm_ref *ref, *latest = NULL;
    uint64_t known = p->bulk_waves;
    uint32_t slot = 0, number;

    while ((ref = ork_number_map_next(&p->comms, &slot, &number, sizeof(*ref))) != NULL) {
        if (ref->comm->bulk_wave == NULL || ref->comm->bulk_wave->number <= known)
            continue;
        latest = ref;
        known = ref->comm->bulk_wave->number;
    }
    return latest;
}

void ork_bulk_wave_learn(struct proc *p)
{
    const struct comm_ref *ref = find_latest(p);

    p->bulk_waves = p->d->bulk.bulk_waves;
    ork_history_of(p);
    if (ref == NULL)
        return;
    const struct bulk_wave *g = ref->comm->bulk_wave;
    const struct ork_record *call = ork_bulk_wave_call(g, p->rank);
    ORK_ASSERT(call != NULL && p->num_threads == 1);
    struct mpi_thread *th = p->thread[0];
    th->call = *call;
    th->exited = th->returned = th->confirmed = th->unknown = false;
    th->found_source = ORK_NO_PEER;
    th->outcome_count = 0;
    th->open = 0;
    th->made_on = ref->comm->id;
    th->made_at = ork_comm_calls(ref->comm, ref->me) - 1;
    /* since the process passed the wave, a message may have arrived for one of its requests */
    ork_seen_by_collective(p, ref->comm, g->seq);
}

void ork_bulk_destroy(struct ork_detector *d)
{
    forget_latest(d);
    for (uint32_t i = 0; i < COMM_SETS; i++) {
        free(d->bulk.comm_set[i].span);
        free(d->bulk.comm_set[i].comm);
    }
    free(d->bulk.span);
    free(d->bulk.bulk_blockers);
}
