/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of each rank since a moment at which nothing was pending, in the order of the strict
 * analysis: the exploration of alternative matches starts from them. Such moments are the start of
 * the run, and every collective call of all ranks during which no message, no request and no other
 * collective is open. The history is bounded: when it is full, no more is stored until the next
 * such moment. */
#include "detector/history/history.h"

#include <stdlib.h>
#include <string.h>

enum { WORTH_DROPPING = 1 << 12 };

static bool has_wildcard(struct proc *p, const struct ork_record *rec, const uint32_t *list)
{
    bool any = false;

    if (rec->kind == ORK_KIND_RECV || rec->kind == ORK_KIND_PROBE)
        return rec->peer == ORK_ANY_SOURCE;
    if (rec->kind == ORK_KIND_SENDRECV)
        return rec->peer2 == ORK_ANY_SOURCE;
    for (uint32_t i = 0; rec->kind == ORK_KIND_START && i < rec->count && !any; i++) {
        const struct request *r = ork_request_find(p, list[i]); /* may be older than the history */
        any = r != NULL && r->call.kind == ORK_KIND_RECV && r->call.peer == ORK_ANY_SOURCE;
    }
    return any;
}

void ork_history_append(struct mpi_thread *th, const struct ork_record *rec, const uint32_t *list)
{
    struct proc *p = th->proc;
    struct ork_detector *d = p->d;
    uint32_t conts = ork_record_conts(rec->count);

    if (d->history.full) {
        d->history.lacks_wildcards |= has_wildcard(p, rec, list);
        return;
    }
    if (d->history.records + conts + 1 > d->history.limit) {
        d->history.full = true;
        d->history.lacks_wildcards |= has_wildcard(p, rec, list);
        return;
    }
    struct ork_record own = *rec;
    if (rec->kind == ORK_KIND_EXIT || rec->kind == ORK_KIND_TESTED)
        own.extra = 0; /* the number of a choice: equal calls are stored once */
    if (ork_record_is_call(rec) && ork_record_has(rec, ORK_HAS_COMM)) {
        const struct comm_ref *ref = ork_comm_ref(p, rec->comm);
        own.comm = ref != NULL ? ref->comm->id : ORK_COMM_UNKNOWN;
        own.extra = ref != NULL ? ref->me : 0;
        if (ref != NULL)
            ref->comm->recorded = true;
    }
    struct history *h = ork_history_of(p);
    if (!ork_record_log_add(d, &h->record_log, &own))
        return;
    d->history.records += 1 + conts;
    for (uint32_t done = 0; done < rec->count; done += ORK_CONT_WORDS) {
        struct ork_record raw = ork_cont_of(list + done, rec->count - done);
        if (!ork_record_log_add(d, &h->record_log, &raw))
            return;
    }
    d->history.has_wildcards |= has_wildcard(p, rec, list);
}

/* ---- waves that all processes passed at once ---- */

/* Append the call of `g` that `p` made, with the detector's number of the communicator. */
static bool append_bulk_wave(struct proc *p, const struct bulk_wave *g)
{
    const struct ork_record *call = ork_bulk_wave_call(g, p->rank);

    if (call == NULL) /* `p` belongs to a job that started later */
        return true;
    const struct comm_ref *ref = ork_comm_ref(p, call->comm);
    ORK_ASSERT(ref != NULL); /* `p` has made no call since */
    struct ork_record own = *call;
    own.comm = ref->comm->id;
    own.extra = ref->me;
    return ork_record_log_add(p->d, &p->history.record_log, &own);
}

struct history *ork_history_of(struct proc *p)
{
    const struct ork_detector *d = p->d;
    struct history *h = &p->history;

    if (h->begun != d->history.begun) {
        h->begun = d->history.begun;
        h->bulk_waves = 0;
        ork_record_log_clear(&h->record_log);
    }
    ORK_ASSERT(h->bulk_waves <= d->history.num_logged);
    while (h->bulk_waves < d->history.num_logged &&
           append_bulk_wave(p, d->history.log[h->bulk_waves]))
        h->bulk_waves++;
    return h;
}

bool ork_history_has_room(const struct ork_detector *d, uint64_t ranks)
{
    return d->history.full ||
           (ranks == d->nprocs && d->history.records + ranks <= d->history.limit);
}

static void forget_log(struct ork_detector *d)
{
    while (d->history.num_logged > 0)
        ork_bulk_wave_put(d->history.log[--d->history.num_logged]);
}

void ork_history_destroy(struct ork_detector *d)
{
    forget_log(d);
    free(d->history.log);
}

/* ---- a new beginning ---- */

static void clear(struct ork_detector *d, bool full)
{
    forget_log(d);
    d->history.begun++;
    d->history.records = 0;
    d->history.full = full;
    d->history.has_wildcards = false;
}

void ork_detector_drop_history(struct ork_detector *d)
{
    clear(d, true);
}

void ork_detector_set_history(struct ork_detector *d, uint64_t records)
{
    d->history.limit = records;
    d->history.full = records == 0;
}

uint64_t ork_detector_history_size(const struct ork_detector *d)
{
    return d->history.records;
}

bool ork_detector_lacks_wildcards(const struct ork_detector *d)
{
    return d->history.lacks_wildcards;
}

bool ork_detector_has_wildcards(const struct ork_detector *d)
{
    return d->history.has_wildcards;
}

bool ork_detector_is_history_full(const struct ork_detector *d)
{
    return d->history.full;
}

static bool has_all_waiting(const struct wave *w)
{
    uint32_t n = 0;

    for (const struct mpi_thread *th = w->waiters; th != NULL; th = th->wave_next)
        n++;
    return n == w->comm->size;
}

/* May the history restart at a call on `c`? Only if nothing is pending except `waves` waves. */
static bool may_begin(const struct ork_detector *d, const struct comm *c, uint64_t waves)
{
    bool is_worth = d->history.full
                        ? d->history.records == 0 || !d->history.has_wildcards
                        : d->history.records >= WORTH_DROPPING && !d->history.has_wildcards;

    /* RATIONALE: one more wave always exists, that of MPI_Finalize. */
    return d->history.limit > 0 && is_worth && d->matching.ops.used == 0 &&
           d->collectives.waves.used == waves + 1 && d->num_jobs == 1 && !c->self && !c->inter &&
           c->size == d->nprocs;
}

/* `w` is complete, and no rank has left it: restart the history if that is useful. */
void ork_history_at_wave(struct ork_detector *d, const struct wave *w)
{
    if (may_begin(d, w->comm, 1) && has_all_waiting(w))
        clear(d, false);
}

bool ork_history_pass(struct ork_detector *d, struct bulk_wave *g, const struct comm *c)
{
    if (!d->history.full) {
        ORK_ASSERT(d->history.records + g->ranks <= d->history.limit);
        if (!ork_grow(d, &d->history.log, &d->history.log_cap, d->history.num_logged + 1,
                      sizeof(struct bulk_wave *)))
            return false;
        d->history.log[d->history.num_logged++] = g;
        g->refs++;
        d->history.records += g->ranks;
    }
    if (c != NULL && may_begin(d, c, 0))
        clear(d, false);
    return true;
}
