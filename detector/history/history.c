/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of each rank since some moment, in the order of the strict analysis: the exploration of
 * alternative matches starts from them. At first that is the start of the run. The history begins
 * anew at a collective call of all ranks during which no message, no request and no other
 * collective is open, and, when the root says so, at any other moment, with what was pending then.
 * It is bounded: when it is full, no more is stored until it begins anew. */
#include "detector/history/history.h"

#include "detector/history/pending.h"

#include <stdlib.h>
#include <string.h>

enum { WORTH_DROPPING = 1 << 12 };
/* The part of the limit in which nothing is new when the history repeats; and the least number of
 * records of each rank there. */
enum { REPEATS_PART = 8, REPEATS_OF_RANK = 16 };

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

/* RATIONALE: which collective call is which is counted back from the end of the history. */
static void note_calls(struct ork_detector *d)
{
    for (struct comm *c = d->comms.oldest; c != NULL; c = c->newer) {
        if (c->index == NULL || c->self)
            continue;
        uint32_t *calls = realloc(c->calls_at_full, (c->size + (size_t)1) * sizeof(*calls));
        if (calls == NULL) {
            d->failed = true;
            return;
        }
        for (uint32_t k = 0; k < c->size; k++)
            calls[k] = ork_comm_calls(c, k);
        c->calls_at_full = calls;
    }
}

static void forget_calls(struct ork_detector *d)
{
    for (struct comm *c = d->comms.oldest; c != NULL; c = c->newer) {
        free(c->calls_at_full);
        c->calls_at_full = NULL;
    }
}

/* ---- communicators to which the history refers ---- */

static void note_comm(struct ork_detector *d, const struct ork_record *rec)
{
    struct comm *c = ork_record_has(rec, ORK_HAS_COMM) ? ork_comm_numbered(d, rec->comm) : NULL;

    if (c != NULL)
        c->recorded = true;
}

static void note_comms_of(struct ork_detector *d, struct history *h)
{
    for (uint32_t i = 0; i < h->before.count; i++)
        note_comm(d, &h->before.record[i]);
    for (uint32_t i = 0; i < h->record_log.count; i++)
        note_comm(d, record_log_at(&h->record_log, i));
}

/* Records were removed: all of them, or those before the mark. RATIONALE: of a program that makes
 * and frees a communicator in each iteration, all would be kept. */
static void discard_comms(struct ork_detector *d, bool is_empty)
{
    if (d->comms.num_given_up == 0)
        return;
    for (struct comm *c = d->comms.oldest; c != NULL; c = c->newer)
        c->recorded = false;
    for (uint32_t r = 0; r < d->nprocs && !is_empty; r++)
        note_comms_of(d, ork_history_of(d->proc[r]));
    ork_comms_discard_unrecorded(d);
}

/* ---- what is stored ---- */

/* Note that something new has come to the log, if that is so. */
static void note_news(struct ork_detector *d, const struct history *h, uint64_t before)
{
    if (h->record_log.news == before)
        return;
    d->history.has_news = true;
    d->history.news_at = d->history.records;
}

/* As it is stored, with the detector's number of its communicator. */
static struct ork_record stored(struct proc *p, const struct ork_record *rec)
{
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
    return own;
}

/* Is there no room for the record? *own: as it is stored. RATIONALE: one that comes after
 * repetitions, before the history can begin anew, belongs to them if it is not new. */
static bool is_left_out(struct proc *p, const struct ork_record *rec, const struct ork_record *own)
{
    struct ork_detector *d = p->d;
    struct histories *y = &d->history;

    if (y->rests && !ork_detector_renew_history(d)) {
        y->rests = ork_record_log_has(&p->history.record_log, own);
        if (y->rests)
            return true;
    }
    if (!y->full && y->records + ork_record_conts(rec->count) + 1 > y->limit) {
        y->full = true;
        note_calls(d);
    }
    return y->full;
}

/* A record is not stored while the history is paused. */
static void note_left_out(struct ork_detector *d, bool has_wildcard)
{
    d->history.lacks_wildcards |=
        d->history.full && !d->history.rests && d->history.limit > 0 && has_wildcard;
}

void ork_history_append(struct mpi_thread *th, const struct ork_record *rec, const uint32_t *list)
{
    struct proc *p = th->proc;
    struct ork_detector *d = p->d;

    if (d->history.is_paused) {
        note_left_out(d, has_wildcard(p, rec, list));
        return;
    }
    const struct ork_record own = stored(p, rec);
    if (is_left_out(p, rec, &own)) {
        d->history.lacks_wildcards |= !d->history.rests && has_wildcard(p, rec, list);
        return;
    }
    struct history *h = ork_history_of(p);
    uint64_t news = h->record_log.news;
    if (!ork_record_log_add(d, &h->record_log, &own))
        return;
    d->history.records += 1 + ork_record_conts(rec->count);
    for (uint32_t done = 0; done < rec->count; done += ORK_CONT_WORDS) {
        struct ork_record raw = ork_cont_of(list + done, rec->count - done);
        if (!ork_record_log_add(d, &h->record_log, &raw))
            return;
    }
    d->history.has_wildcards |= has_wildcard(p, rec, list);
    note_news(d, h, news);
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
    struct ork_detector *d = p->d;
    struct history *h = &p->history;

    if (h->begun != d->history.begun) {
        h->begun = d->history.begun;
        h->bulk_waves = h->before.count = 0;
        ork_record_log_clear(&h->record_log);
    }
    ORK_ASSERT(h->bulk_waves <= d->history.num_logged);
    uint64_t news = h->record_log.news;
    while (h->bulk_waves < d->history.num_logged &&
           append_bulk_wave(p, d->history.log[h->bulk_waves]))
        h->bulk_waves++;
    note_news(d, h, news);
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

void ork_history_release(struct proc *p)
{
    ork_record_log_release(&p->history.record_log);
    ork_pending_release(&p->history.before);
    ork_pending_release(&p->history.at_mark);
}

void ork_history_destroy(struct ork_detector *d)
{
    forget_log(d);
    free(d->history.log);
}

/* ---- a new beginning at a moment at which nothing is pending ---- */

static void clear(struct ork_detector *d)
{
    forget_log(d);
    if (d->history.full)
        forget_calls(d);
    d->history.begun++;
    d->history.records = d->history.news_at = d->history.mark_at = d->history.look_at = 0;
    d->history.full = d->history.rests = d->history.wants_mark = false;
    d->history.has_wildcards = d->history.has_news = false;
    discard_comms(d, true);
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
    return d->history.full && !d->history.rests;
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
    return d->history.limit > 0 && is_worth && !d->history.rests && !d->history.is_paused &&
           d->matching.ops.used == 0 && d->collectives.waves.used == waves + 1 &&
           d->num_jobs == 1 && !c->self && !c->inter && c->size == d->nprocs;
}

/* `w` is complete, and no rank has left it: restart the history if that is useful. */
void ork_history_at_wave(struct ork_detector *d, const struct wave *w)
{
    if (may_begin(d, w->comm, 1) && has_all_waiting(w))
        clear(d);
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
        clear(d);
    return true;
}

/* ---- and at any other moment ---- */

static void mark_end(struct ork_detector *d)
{
    for (uint32_t r = 0; r < d->nprocs; r++) {
        struct history *h = ork_history_of(d->proc[r]);
        h->mark = h->record_log.count;
    }
    d->history.mark_at = d->history.records;
}

/* False: records cannot tell what is pending now. */
static bool set_mark(struct ork_detector *d)
{
    struct histories *y = &d->history;

    y->look_at = d->counts.calls + REPEATS_OF_RANK + d->nprocs; /* a look takes time, too */
    mark_end(d);
    y->wants_mark = !ork_pending_write(d);
    if (y->wants_mark)
        y->mark_at = 0;
    return !y->wants_mark;
}

/* Remove all before the mark. RATIONALE: the records that are removed are not forgotten: they say
 * which ones are new. */
static void cut(struct ork_detector *d)
{
    struct histories *y = &d->history;

    for (uint32_t r = 0; r < d->nprocs; r++) {
        struct history *h = ork_history_of(d->proc[r]);
        const struct pending before = h->before;
        ork_record_log_cut(d, &h->record_log, h->mark);
        h->bulk_waves = 0;
        h->before = h->at_mark;
        h->at_mark = before;
    }
    forget_log(d);
    if (y->full)
        forget_calls(d);
    y->records -= y->mark_at;
    y->news_at = y->mark_at = y->look_at = 0;
    discard_comms(d, false);
}

bool ork_detector_history_repeats(struct ork_detector *d)
{
    struct histories *y = &d->history;
    uint64_t enough = y->limit / REPEATS_PART, least = (uint64_t)d->nprocs * REPEATS_OF_RANK;

    enough = enough > least ? enough : least;
    if (y->full || !y->has_wildcards || y->records - y->news_at < enough / 2)
        return false;
    if ((y->mark_at == 0 || y->mark_at < y->news_at) && d->counts.calls >= y->look_at)
        set_mark(d);
    return y->mark_at > 0 && y->mark_at >= y->news_at && y->records - y->mark_at >= enough / 2;
}

bool ork_detector_has_history_news(const struct ork_detector *d)
{
    return d->history.has_news;
}

void ork_detector_history_is_searched(struct ork_detector *d)
{
    d->history.has_news = false;
}

void ork_history_try_mark(struct ork_detector *d)
{
    if (d->history.full)
        ork_detector_renew_history(d);
    else
        set_mark(d);
}

void ork_detector_cut_history(struct ork_detector *d)
{
    ORK_ASSERT(!d->history.full && d->history.mark_at > 0);
    cut(d);
}

bool ork_detector_renew_history(struct ork_detector *d)
{
    struct histories *y = &d->history;

    if (y->limit == 0 || y->is_paused || !set_mark(d))
        return false;
    cut(d);
    y->full = y->rests = false;
    return true;
}

/* Forget what is stored; the next record begins anew. */
static void rest(struct ork_detector *d)
{
    for (uint32_t r = 0; r < d->nprocs; r++)
        ork_history_of(d->proc[r])->at_mark.count = 0;
    mark_end(d);
    cut(d);
    d->history.full = d->history.rests = true;
}

void ork_detector_rest_history(struct ork_detector *d)
{
    if (d->history.full || !d->history.has_wildcards)
        return;
    ORK_ASSERT(!d->history.has_news);
    rest(d);
}

void ork_detector_pause_history(struct ork_detector *d)
{
    if (!d->history.full)
        rest(d);
    d->history.is_paused = true;
}

void ork_detector_resume_history(struct ork_detector *d, bool lacks_wildcards)
{
    if (!d->history.is_paused)
        return;
    note_left_out(d, lacks_wildcards);
    d->history.is_paused = false;
    if (d->history.rests)
        ork_detector_renew_history(d);
}
