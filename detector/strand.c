/* SPDX-License-Identifier: BSD-3-Clause */
/* A strand follows one thread through its records: it is held inside a call until strict semantics
 * lets the call return, and what the thread did after it waits in a queue. Every transition is
 * monotone, so the order in which strands are looked at does not matter. */
#include "detector/internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- queue of records ---- */

static bool slots_push(struct ork_detector *d, struct slots *q, const struct ork_record *rec)
{
    if (q->count == q->cap) {
        size_t cap = q->cap == 0 ? 16 : q->cap * 2;
        struct ork_record *bigger = malloc(cap * sizeof(*bigger));
        if (bigger == NULL) {
            d->failed = true;
            return false;
        }
        for (size_t i = 0; i < q->count; i++)
            bigger[i] = q->slot[(q->first + i) & (q->cap - 1)];
        free(q->slot);
        q->slot = bigger;
        q->cap = cap;
        q->first = 0;
    }
    q->slot[(q->first + q->count++) & (q->cap - 1)] = *rec;
    d->counts.queued++;
    return true;
}

static const struct ork_record *slots_front(const struct slots *q)
{
    return q->count == 0 ? NULL : &q->slot[q->first];
}

static void slots_pop(struct ork_detector *d, struct slots *q)
{
    q->first = (q->first + 1) & (q->cap - 1);
    q->count--;
    d->counts.queued--;
    if (q->count == 0 && q->cap > 4096) { /* a long run-ahead is over */
        free(q->slot);
        *q = (struct slots){0};
    }
}

static void push_event(struct ork_detector *d, struct slots *q, const struct ork_record *rec,
                       const uint32_t *list)
{
    if (!slots_push(d, q, rec))
        return;
    for (uint32_t done = 0; done < rec->count; done += ORK_CONT_WORDS) {
        uint32_t n = rec->count - done < ORK_CONT_WORDS ? rec->count - done : ORK_CONT_WORDS;
        struct ork_cont cont = {.kind = ORK_KIND_CONT, .words = (uint8_t)n};
        struct ork_record raw;
        memcpy(cont.word, list + done, n * sizeof(*list));
        memcpy(&raw, &cont, sizeof(raw));
        if (!slots_push(d, q, &raw))
            return;
    }
}

/* Take the front event; its list into *list. */
static bool pop_event(struct ork_detector *d, struct slots *q, struct ork_record *rec,
                      uint32_t **list, uint32_t *cap)
{
    *rec = *slots_front(q);
    slots_pop(d, q);
    if (!grow(d, list, cap, rec->count, sizeof(**list)))
        return false;
    for (uint32_t done = 0; done < rec->count; done += ORK_CONT_WORDS) {
        struct ork_cont cont;
        memcpy(&cont, slots_front(q), sizeof(cont));
        memcpy(*list + done, cont.word, cont.words * sizeof(**list));
        slots_pop(d, q);
    }
    return true;
}

/* ---- life ---- */

struct strand *strand_get(struct proc *p, uint16_t thread)
{
    struct ork_detector *d = p->d;

    for (uint32_t i = 0; i < p->num_strands; i++) {
        if (p->strand[i]->thread == thread)
            return p->strand[i];
    }
    struct strand *st = calloc(1, sizeof(*st));
    struct strand **bigger = realloc(p->strand, (p->num_strands + 1) * sizeof(*bigger));
    if (bigger != NULL)
        p->strand = bigger;
    if (st == NULL || bigger == NULL) {
        free(st);
        d->failed = true;
        return NULL;
    }
    st->proc = p;
    st->thread = thread;
    st->call.kind = ORK_KIND_CONT;
    st->made_on = MADE_ON_NONE;
    p->strand[p->num_strands++] = st;
    return st;
}

void strand_destroy(struct strand *st)
{
    free(st->list);
    free(st->outcome);
    free(st->queue.slot);
    free(st);
}

/* ---- progress ---- */

void strand_wake(struct strand *st)
{
    struct ork_detector *d = st->proc->d;

    if (st->in_work || !st->held)
        return;
    st->in_work = true;
    st->work_next = NULL;
    *(d->work_tail != NULL ? &d->work_tail->work_next : &d->work_head) = st;
    d->work_tail = st;
}

void strand_part_done(struct strand *st)
{
    st->open -= st->open > 0;
    strand_wake(st);
}

static bool has_left_finalize(const struct strand *st)
{
    const struct proc *p = st->proc;

    return p->ended && p->end == ORK_END_FINISHED && st->call.kind == ORK_KIND_FINALIZE;
}

bool strand_has_moved(const struct strand *st)
{
    return st->held && (st->exited || st->returned || st->queue.count > 0 || has_left_finalize(st));
}

static bool is_lazy_site(const struct strand *st)
{
    uint32_t site = st->call.site;

    return site != 0 && site / 8 < st->proc->lazy_sites &&
           (st->proc->lazy_site[site / 8] >> site % 8 & 1);
}

bool strand_relax(struct strand *st)
{
    struct proc *p = st->proc;
    uint32_t site = st->call.site;

    if (!strand_has_moved(st) || !call_relax(st))
        return false;
    p->qualified = true;
    if (site != 0 && site < UINT32_C(1) << 24 &&
        grow(p->d, &p->lazy_site, &p->lazy_sites, site / 8 + 1, 1))
        p->lazy_site[site / 8] |= (uint8_t)(1u << site % 8);
    strand_wake(st);
    return true;
}

static bool is_definition(const struct ork_record *rec)
{
    return rec->kind == ORK_KIND_COMM_DEF || rec->kind == ORK_KIND_COMM_NAME;
}

/* st->list holds the list of rec. */
static void execute(struct strand *st, const struct ork_record *rec)
{
    if (rec->kind == ORK_KIND_EXIT)
        return; /* of a call that needed no outcome */
    if (is_definition(rec)) {
        call_define(st, rec, st->list);
        return;
    }
    st->call = *rec;
    st->held = true;
    st->exited = st->returned = st->unknown = false;
    st->found_source = ORK_NO_PEER;
    st->outcome_count = 0;
    st->open = 0;
    st->proc->d->counts.calls++;
    call_enter(st);
}

static void apply_exit(struct strand *st, const struct ork_record *rec, const uint32_t *list)
{
    st->exited = true;
    call_apply_exit(st, rec, list);
}

/* Go as far as the records and strict semantics allow. */
static void settle(struct strand *st)
{
    struct ork_detector *d = st->proc->d;
    struct ork_record rec;

    while (!d->failed && st->proc->fault == NULL) {
        const struct ork_record *front = slots_front(&st->queue);
        if (!st->held) {
            if (front == NULL)
                return;
            if (!pop_event(d, &st->queue, &rec, &st->list, &st->list_cap))
                return;
            execute(st, &rec);
            continue;
        }
        if (front != NULL && front->kind == ORK_KIND_EXIT && !st->exited) {
            if (!pop_event(d, &st->queue, &rec, &st->outcome, &st->outcome_cap))
                return;
            apply_exit(st, &rec, st->outcome);
        }
        if (!call_is_over(st) &&
            !(is_lazy_site(st) && strand_has_moved(st) && call_relax(st) && call_is_over(st)))
            return;
        st->held = false;
        call_leave(st);
    }
}

void run_work(struct ork_detector *d)
{
    while (d->work_head != NULL) {
        struct strand *st = d->work_head;
        d->work_head = st->work_next;
        if (d->work_head == NULL)
            d->work_tail = NULL;
        st->in_work = false;
        settle(st);
    }
}

static bool copy_list(struct ork_detector *d, uint32_t **to, uint32_t *cap, const uint32_t *list,
                      uint32_t count)
{
    if (!grow(d, to, cap, count, sizeof(**to)))
        return false;
    if (count > 0)
        memcpy(*to, list, count * sizeof(**to));
    return true;
}

void strand_dispatch(struct strand *st, const struct ork_record *rec, const uint32_t *list)
{
    struct ork_detector *d = st->proc->d;

    if (st->queue.count > 0 || (st->held && (rec->kind != ORK_KIND_EXIT || st->exited))) {
        push_event(d, &st->queue, rec, list);
        if (st->held && st->call.kind == ORK_KIND_WIN_LOCK && st->open > 0)
            rma_has_lock(st);
    } else if (st->held) {
        if (copy_list(d, &st->outcome, &st->outcome_cap, list, rec->count))
            apply_exit(st, rec, st->outcome);
    } else if (copy_list(d, &st->list, &st->list_cap, list, rec->count)) {
        execute(st, rec);
    }
    if (st->held && !st->in_work)
        settle(st);
    run_work(d);
}
