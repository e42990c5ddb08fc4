/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of each rank since a moment at which nothing was pending, in strict order: what probing
 * starts from. Such a moment is the begin of the run, and every collective call of all ranks at
 * which no message, no request and no other collective is open. Bounded: when it is full nothing
 * more is kept until the next such moment. */
#include "detector/internal.h"

#include <stdlib.h>
#include <string.h>

enum { WORTH_DROPPING = 1 << 12 };

static bool append(struct ork_detector *d, struct history *h, const struct ork_record *rec)
{
    if (!grow(d, &h->slot, &h->cap, h->count + 1, sizeof(*h->slot)))
        return false;
    h->slot[h->count++] = *rec;
    d->history_records++;
    return true;
}

static bool has_comm(const struct ork_record *rec)
{
    return rec->kind == ORK_KIND_SEND || rec->kind == ORK_KIND_RECV ||
           rec->kind == ORK_KIND_SENDRECV || rec->kind == ORK_KIND_PROBE ||
           rec->kind == ORK_KIND_COLL;
}

static bool has_wildcard(struct proc *p, const struct ork_record *rec, const uint32_t *list)
{
    bool any = false;

    if (rec->kind == ORK_KIND_RECV || rec->kind == ORK_KIND_PROBE)
        return rec->peer == ORK_ANY_SOURCE;
    if (rec->kind == ORK_KIND_SENDRECV)
        return rec->peer2 == ORK_ANY_SOURCE;
    for (uint32_t i = 0; rec->kind == ORK_KIND_START && i < rec->count && !any; i++) {
        const struct request *r = request_find(p, list[i]); /* may be older than the history */
        any = r != NULL && r->call.kind == ORK_KIND_RECV && r->call.peer == ORK_ANY_SOURCE;
    }
    return any;
}

void history_add(struct strand *st, const struct ork_record *rec, const uint32_t *list)
{
    struct proc *p = st->proc;
    struct ork_detector *d = p->d;
    struct history *h = &p->history;
    uint32_t conts = ork_record_conts(rec->count);
    struct ork_record own = *rec;

    if (d->history_full) {
        d->history_lacks_wildcards |= d->history_limit > 0 && has_wildcard(p, rec, list);
        return;
    }
    if (d->history_records + conts + 1 > d->history_limit) {
        d->history_full = true;
        d->history_lacks_wildcards |= has_wildcard(p, rec, list);
        return;
    }
    if (has_comm(rec)) {
        const struct comm_ref *ref = comm_ref(p, rec->comm);
        own.comm = ref != NULL ? ref->comm->id : ORK_COMM_UNKNOWN;
        own.extra = ref != NULL ? ref->me : 0;
        if (ref != NULL)
            ref->comm->recorded = true;
    }
    if (!append(d, h, &own))
        return;
    for (uint32_t done = 0; done < rec->count; done += ORK_CONT_WORDS) {
        struct ork_record raw = cont_of(list + done, rec->count - done);
        if (!append(d, h, &raw))
            return;
    }
    d->history_has_wildcards |= has_wildcard(p, rec, list);
}

static void clear(struct ork_detector *d, bool full)
{
    for (uint32_t r = 0; r < d->nprocs; r++)
        d->proc[r]->history.count = 0;
    d->history_records = 0;
    d->history_full = full;
    d->history_has_wildcards = false;
}

void ork_detector_drop_history(struct ork_detector *d)
{
    clear(d, true);
}

void ork_detector_set_history(struct ork_detector *d, uint64_t records)
{
    d->history_limit = records;
    d->history_full = records == 0;
}

uint64_t ork_detector_history_size(const struct ork_detector *d)
{
    return d->history_records;
}

bool ork_detector_lacks_wildcards(const struct ork_detector *d)
{
    return d->history_lacks_wildcards;
}

bool ork_detector_has_wildcards(const struct ork_detector *d)
{
    return d->history_has_wildcards;
}

bool ork_detector_is_history_full(const struct ork_detector *d)
{
    return d->history_full;
}

static bool has_all_waiting(const struct wave *w)
{
    uint32_t n = 0;

    for (const struct strand *st = w->waiters; st != NULL; st = st->wave_next)
        n++;
    return n == w->comm->size;
}

/* `w` is complete, nobody has left it: is that a moment to start anew? */
void history_at_wave(struct ork_detector *d, const struct wave *w)
{
    bool is_worth = d->history_full
                        ? d->history_records == 0 || !d->history_has_wildcards
                        : d->history_records >= WORTH_DROPPING && !d->history_has_wildcards;

    if (d->history_limit == 0 || !is_worth || d->ops.used > 0 || d->waves.used > 1)
        return;
    if (d->num_jobs > 1 || w->comm->self || w->comm->inter || w->comm->size != d->nprocs)
        return;
    if (has_all_waiting(w))
        clear(d, false);
}
