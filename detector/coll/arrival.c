/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrivals of many ranks at once. Where they are the whole of a blocking collective call, and
 * nobody is held, the wave is complete and gone with the last of them: then it is one passage, and
 * each member learns of it when it acts next. */
#include "detector/check/knowledge.h"
#include "detector/coll/arrival.h"
#include "detector/history/history.h"

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

static bool are_valid(const struct ork_detector *d, const struct ork_arrival *a)
{
    for (uint32_t i = 0; i < a->num_spans; i++) {
        if (a->span[i].count == 0 || ork_span_end(&a->span[i]) > d->nprocs)
            return false;
    }
    return is_ascending(a->span, a->num_spans);
}

/* Join those that touch; how many are left. */
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

/* The ranks of all arrivals into d->bulk.span, *num spans. */
static enum ork_status unite(struct ork_detector *d, const struct ork_arrival *arrival, uint32_t n,
                             uint32_t *num)
{
    uint64_t total = 0;
    uint32_t have = 0;

    for (uint32_t i = 0; i < n; i++) {
        total += arrival[i].num_spans;
        if (total > d->nprocs || !are_valid(d, &arrival[i]))
            return ORK_INVALID;
    }
    if (!ork_grow(d, &d->bulk.span, &d->bulk.span_cap, (uint32_t)total, sizeof(*d->bulk.span)))
        return ORK_NOMEM;
    for (uint32_t i = 0; i < n; i++) {
        if (arrival[i].num_spans > 0)
            memcpy(d->bulk.span + have, arrival[i].span,
                   arrival[i].num_spans * sizeof(*d->bulk.span));
        have += arrival[i].num_spans;
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

/* ---- the same once more ---- */

static void forget_latest(struct ork_detector *d)
{
    ork_passage_put(d->bulk.latest);
    d->bulk.latest = NULL;
}

static bool is_same(const struct ork_arrival *a, const struct ork_arrival *b)
{
    return a->num_spans == b->num_spans && ork_record_is_same(&a->call, &b->call) &&
           (a->num_spans == 0 || memcmp(a->span, b->span, a->num_spans * sizeof(*a->span)) == 0);
}

/* Is it the latest passage again? */
static bool is_again(const struct ork_detector *d, const struct ork_arrival *arrival, uint32_t n)
{
    const struct passage *g = d->bulk.latest;
    bool same = g != NULL && g->num_arrivals == n && !d->model.dataflow &&
                d->bulk.latest_party->definitions == d->definitions + 1;

    for (uint32_t i = 0; same && i < n; i++)
        same = is_same(&g->arrival[i], &arrival[i]);
    return same;
}

/* ---- which communicators ---- */

static struct party *party_find(struct ork_detector *d, uint32_t local, uint32_t num_spans)
{
    for (uint32_t i = 0; i < PARTIES; i++) {
        struct party *y = &d->bulk.party[i];
        if (y->definitions == d->definitions + 1 && y->local == local &&
            y->num_spans == num_spans &&
            memcmp(y->span, d->bulk.span, num_spans * sizeof(*d->bulk.span)) == 0)
            return y;
    }
    return NULL;
}

static bool party_add(struct ork_detector *d, struct party *y, struct comm *c)
{
    if (c->gathered_in == d->bulk.resolutions) {
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

static bool party_gather(struct ork_detector *d, struct party *y)
{
    for (uint32_t i = 0; i < y->num_spans; i++) {
        for (uint32_t k = 0; k < y->span[i].count; k++) {
            struct comm_ref *ref = ork_comm_ref(d->proc[y->span[i].first + k], y->local);
            if (ref == NULL || !party_add(d, y, ref->comm))
                return false;
        }
    }
    for (uint32_t i = 0; i < y->num_comms; i++) {
        if (y->comm[i]->gathered < y->comm[i]->size)
            return false;
    }
    return true;
}

/* The communicators of which the ranks of d->bulk.span are the members, together. NULL: they are
 * not. */
static struct party *party_of(struct ork_detector *d, uint32_t local, uint32_t num_spans)
{
    struct party *y = party_find(d, local, num_spans);

    if (y != NULL || num_spans == 0)
        return y;
    y = &d->bulk.party[d->bulk.next_party++ % PARTIES];
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
    if (is_world ? y->span[0].count < d->nprocs || !party_add(d, y, d->job[0]->world)
                 : !party_gather(d, y))
        return NULL;
    y->definitions = d->definitions + 1;
    return y;
}

/* ---- may they pass? ---- */

/* It does nothing but wait for the other members. */
static bool is_plain(const struct ork_record *rec)
{
    return rec->kind == ORK_KIND_COLL && rec->mode >= ORK_COLL_BARRIER &&
           rec->mode <= ORK_COLL_NEIGHBOR_ALLTOALLW && rec->count == 0 && rec->thread == 0 &&
           (rec->flags & (ORK_F_NONBLOCKING | ORK_F_PERSISTENT | ORK_F_FALLIBLE)) == 0;
}

static bool are_one_call(const struct ork_arrival *arrival, uint32_t n)
{
    const struct ork_record *first = &arrival[0].call;

    for (uint32_t i = 0; i < n; i++) {
        const struct ork_record *rec = &arrival[i].call;
        if (!is_plain(rec) || rec->comm != first->comm || rec->mode != first->mode ||
            rec->peer != first->peer || rec->arg != first->arg)
            return false;
    }
    return true;
}

static bool are_all_even(const struct ork_detector *d, const struct party *y)
{
    uint8_t odd = 0;

    for (uint32_t i = 0; i < y->num_spans && d->bulk.num_odd > 0; i++) {
        for (uint32_t k = 0; k < y->span[i].count; k++)
            odd |= d->bulk.odd[y->span[i].first + k];
    }
    return odd == 0;
}

static bool may_pass(const struct ork_detector *d, const struct party *y,
                     const struct ork_record *rec)
{
    if (rec->peer >= 0 && (uint32_t)rec->peer >= y->least) /* a root that is none */
        return false;
    for (uint32_t i = 0; i < y->num_comms; i++) {
        if (y->comm[i]->waves > 0)
            return false;
    }
    return are_all_even(d, y);
}

/* ---- passing ---- */

static struct passage *passage_new(struct ork_detector *d, const struct ork_arrival *arrival,
                                   uint32_t n, uint64_t ranks)
{
    size_t spans = 0;

    for (uint32_t i = 0; i < n; i++)
        spans += arrival[i].num_spans;
    struct passage *g =
        malloc(sizeof(*g) + n * sizeof(g->arrival[0]) + spans * sizeof(struct ork_span));
    if (g == NULL) {
        d->failed = true;
        return NULL;
    }
    *g = (struct passage){.refs = 1, .ranks = ranks, .num_arrivals = n};
    struct ork_span *to = (struct ork_span *)(void *)&g->arrival[n];
    for (uint32_t i = 0; i < n; i++) {
        g->arrival[i] = arrival[i];
        g->arrival[i].span = to;
        if (arrival[i].num_spans > 0)
            memcpy(to, arrival[i].span, arrival[i].num_spans * sizeof(*to));
        to += arrival[i].num_spans;
    }
    return g;
}

/* RATIONALE: one that comes again, with no other in between, is the same object: who learns of it
 * looks at its number, and the history has it as often as it came. */
static void pass(struct ork_detector *d, const struct party *y, struct passage *g)
{
    uint32_t local = y->local;
    bool is_recorded = !d->history.full;

    g->number = ++d->bulk.passages;
    g->seq = ++d->seq;
    d->bulk.passage_numbers =
        local >= d->bulk.passage_numbers ? local + 1 : d->bulk.passage_numbers;
    d->counts.records += g->ranks;
    d->counts.calls += g->ranks;
    d->counts.collectives += y->num_comms;
    d->counts.at_once += y->num_comms;
    for (uint32_t i = 0; i < y->num_comms; i++) {
        struct comm *c = y->comm[i];
        c->passed++;
        c->base++;
        c->recorded |= is_recorded;
        if (c->passage == g)
            continue;
        ork_passage_put(c->passage);
        c->passage = g;
        g->refs++;
    }
    ork_history_pass(d, g, y->num_comms == 1 ? y->comm[0] : NULL);
}

enum ork_status ork_arrivals_pass(struct ork_detector *d, const struct ork_arrival *arrival,
                                  uint32_t n, bool *passed)
{
    uint32_t num_spans = 0;

    *passed = is_again(d, arrival, n) && ork_history_has_room(d, d->bulk.latest->ranks) &&
              may_pass(d, d->bulk.latest_party, &arrival[0].call);
    if (*passed) {
        pass(d, d->bulk.latest_party, d->bulk.latest);
        return d->failed ? ORK_NOMEM : ORK_OK;
    }
    enum ork_status status = unite(d, arrival, n, &num_spans);

    if (status != ORK_OK || d->failed)
        return d->failed ? ORK_NOMEM : status;
    uint64_t ranks = ranks_of(d->bulk.span, num_spans);
    struct party *y = NULL;
    if (n > 0 && are_one_call(arrival, n) && !d->model.dataflow && ork_history_has_room(d, ranks))
        y = party_of(d, arrival[0].call.comm, num_spans);
    if (y == NULL || !may_pass(d, y, &arrival[0].call))
        return d->failed ? ORK_NOMEM : ORK_OK;
    struct passage *g = passage_new(d, arrival, n, ranks);
    if (g != NULL) {
        pass(d, y, g);
        forget_latest(d);
        d->bulk.latest = g;
        d->bulk.latest_party = y;
        *passed = true;
    }
    return d->failed ? ORK_NOMEM : ORK_OK;
}

/* ---- learning of it ---- */

/* The latest passage of `p` that it does not know of. */
static const struct comm_ref *find_latest(const struct proc *p)
{
    const struct comm_ref *latest = NULL;
    uint64_t known = p->passages;

    for (uint32_t i = 0; i < p->num_comms && i < p->d->bulk.passage_numbers; i++) {
        const struct comm *c = p->comm[i].comm;
        if (c == NULL || c->passage == NULL || c->passage->number <= known)
            continue;
        latest = &p->comm[i];
        known = c->passage->number;
    }
    return latest;
}

void ork_passage_learn(struct proc *p)
{
    const struct comm_ref *ref = find_latest(p);

    p->passages = p->d->bulk.passages;
    ork_history_of(p);
    if (ref == NULL)
        return;
    const struct passage *g = ref->comm->passage;
    struct strand *st = p->strand[0];
    st->call = *ork_passage_call(g, p->rank);
    st->exited = st->returned = st->confirmed = st->unknown = false;
    st->found_source = ORK_NO_PEER;
    st->outcome_count = 0;
    st->open = 0;
    st->made_on = ref->comm->id;
    st->made_at = ork_comm_calls(ref->comm, ref->me) - 1;
    /* a message may have come since, for a request */
    ork_knowledge_gathered(p, ref->comm, g->seq);
}

void ork_arrivals_destroy(struct ork_detector *d)
{
    forget_latest(d);
    for (uint32_t i = 0; i < PARTIES; i++) {
        free(d->bulk.party[i].span);
        free(d->bulk.party[i].comm);
    }
    free(d->bulk.span);
    free(d->bulk.odd);
}
