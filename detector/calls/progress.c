/* SPDX-License-Identifier: BSD-3-Clause */
/* A strand follows one thread through its records: it is held inside a call until strict semantics
 * lets the call return, and what the thread did after it waits in a queue. Every transition is
 * monotone, so the order in which strands are looked at does not matter. */
#include "detector/calls/call.h"
#include "detector/calls/progress.h"
#include "detector/calls/rma.h"
#include "detector/calls/turn.h"
#include "detector/calls/warm.h"
#include "detector/history/history.h"

#include <stdlib.h>
#include <string.h>

/* ---- queue of records ---- */

/* Twice the room. */
static bool slots_grow(struct ork_detector *d, struct slots *q)
{
    size_t cap = q->cap == 0 ? 16 : q->cap * 2;
    struct ork_record *bigger = malloc(cap * sizeof(*bigger));
    uint64_t *places = malloc(cap * sizeof(*places));

    if (bigger == NULL || places == NULL) {
        free(bigger);
        free(places);
        d->failed = true;
        return false;
    }
    for (size_t i = 0; i < q->count; i++) {
        bigger[i] = q->slot[(q->first + i) & (q->cap - 1)];
        places[i] = q->when[(q->first + i) & (q->cap - 1)];
    }
    free(q->slot);
    free(q->when);
    q->slot = bigger;
    q->when = places;
    q->cap = cap;
    q->first = 0;
    return true;
}

static inline bool slots_push(struct ork_detector *d, struct slots *q, const struct ork_record *rec,
                              uint64_t when)
{
    if (q->count == q->cap && !slots_grow(d, q))
        return false;
    q->when[(q->first + q->count) & (q->cap - 1)] = when;
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
        free(q->when);
        *q = (struct slots){0};
    }
}

static void push_event(struct strand *st, const struct ork_record *rec, const uint32_t *list)
{
    struct ork_detector *d = st->proc->d;
    struct slots *q = &st->queue;
    uint64_t when = st->proc->when;

    if (st->names != NULL)
        ork_turn_queued(st, rec, list);
    if (!slots_push(d, q, rec, when))
        return;
    for (uint32_t done = 0; done < rec->count; done += ORK_CONT_WORDS) {
        struct ork_record raw = ork_cont_of(list + done, rec->count - done);
        if (!slots_push(d, q, &raw, when))
            return;
    }
}

/* Those that have to let `st` go first. */
static void wake_siblings(struct strand *st)
{
    for (uint32_t i = 0; i < st->proc->num_strands; i++) {
        if (ork_turn_may_have_come(st->proc->strand[i], st))
            ork_ready_add(st->proc->strand[i]);
    }
}

/* Take the front event; its list into *list. */
static bool pop_event(struct strand *st, struct ork_record *rec, uint32_t **list, uint32_t *cap)
{
    struct ork_detector *d = st->proc->d;
    struct slots *q = &st->queue;

    *rec = *slots_front(q);
    slots_pop(d, q);
    if (rec->count > *cap && !ork_grow(d, list, cap, rec->count, sizeof(**list)))
        return false;
    for (uint32_t done = 0; done < rec->count; done += ORK_CONT_WORDS) {
        struct ork_cont cont;
        memcpy(&cont, slots_front(q), sizeof(cont));
        memcpy(*list + done, cont.word, cont.words * sizeof(**list));
        slots_pop(d, q);
    }
    if (st->names != NULL)
        ork_turn_taken(st, rec, *list);
    if (st->proc->num_strands > 1)
        wake_siblings(st);
    return true;
}

/* ---- progress ---- */

static bool is_lazy_site(const struct strand *st)
{
    uint32_t site = st->call.site;

    return site != 0 && site / 8 < st->proc->lazy_sites &&
           (st->proc->lazy_site[site / 8] >> site % 8 & 1);
}

static void mark_site(struct proc *p, uint8_t **sites, uint32_t *count, uint32_t site)
{
    if (site != 0 && site < UINT32_C(1) << 24 && ork_grow(p->d, sites, count, site / 8 + 1, 1))
        (*sites)[site / 8] |= (uint8_t)(1u << site % 8);
}

bool ork_strand_relax(struct strand *st, bool is_deadlocked)
{
    struct proc *p = st->proc;
    uint32_t site = st->call.site;

    if (!ork_strand_has_moved(st) || !ork_call_relax(st))
        return false;
    p->qualified = true;
    if (p->passed.kind == ORK_KIND_CONT)
        p->passed = st->call;
    mark_site(p, &p->lazy_site, &p->lazy_sites, site);
    if (is_deadlocked)
        mark_site(p, &p->relaxed_site, &p->relaxed_sites, site);
    ork_strand_wake(st);
    return true;
}

/* Does it tell of the latest call, and not of what came after it? */
static bool is_inside(const struct strand *st, const struct ork_record *rec)
{
    return !st->exited && (rec->kind == ORK_KIND_EXIT ||
                           (rec->kind == ORK_KIND_EARLY && (rec->flags & ORK_F_NONBLOCKING) == 0));
}

/* What is there of a thread's call when it begins: st->call and its list. */
static void begin(struct strand *st)
{
    ork_history_add(st, &st->call, st->list);
    st->held = true;
    st->exited = st->returned = st->confirmed = st->unknown = false;
    st->found_source = ORK_NO_PEER;
    st->outcome_count = 0;
    st->open = 0;
    st->proc->d->counts.calls++;
    ork_call_enter(st);
}

/* A record that begins no call. st->list holds its list. */
static void apply_outside(struct strand *st, const struct ork_record *rec)
{
    if (rec->kind == ORK_KIND_EXIT) { /* of a call that needed no outcome */
        if (rec->flags & ORK_F_ERROR) {
            ork_history_add(st, rec, st->list);
            ork_fail_after(st, rec);
        }
        return;
    }
    if (rec->kind == ORK_KIND_EARLY)
        ork_history_add(st, rec, st->list);
    ork_call_define(st, rec, st->list);
}

static void apply_inside(struct strand *st, const struct ork_record *rec, const uint32_t *list)
{
    ork_history_add(st, rec, list);
    if (rec->kind == ORK_KIND_EARLY) {
        ork_call_define(st, rec, list);
        return;
    }
    st->exited = true;
    ork_call_apply_exit(st, rec, list);
}

/* The kinds of which there are most: nothing but `open` says whether they are over, and when they
 * are there is nothing to do. */
static const uint64_t messages =
    UINT64_C(1) << ORK_KIND_SEND | UINT64_C(1) << ORK_KIND_RECV | UINT64_C(1) << ORK_KIND_SENDRECV;

static void go_on(struct strand *st)
{
    struct ork_detector *d = st->proc->d;
    struct ork_record rec;

    while (!d->failed && st->proc->fault == NULL) {
        const struct ork_record *front = slots_front(&st->queue);
        if (!st->held) {
            if (front == NULL)
                return;
            st->turn = TURN_NOW;
            if (st->proc->num_strands > 1) /* else it is always its turn */
                ork_turn_look(st);
            bool begins = ork_record_is_call(front);
            ork_warm_front(st);
            if (st->turn != TURN_NOW ||
                !pop_event(st, begins ? &st->call : &rec, &st->list, &st->list_cap))
                return;
            if (begins)
                begin(st);
            else
                apply_outside(st, &rec);
            continue;
        }
        if (front != NULL && is_inside(st, front)) {
            if (!pop_event(st, &rec, &st->outcome, &st->outcome_cap))
                return;
            apply_inside(st, &rec, st->outcome);
            continue;
        }
        if (!st->confirmed && ork_strand_has_moved(st)) {
            st->confirmed = true;
            ork_call_confirm(st);
        }
        bool simple = (messages >> st->call.kind & 1) && !st->unknown;
        if (!(simple ? st->open == 0 : ork_call_is_over(st)) &&
            !(is_lazy_site(st) && ork_strand_has_moved(st) && ork_call_relax(st) &&
              ork_call_is_over(st)))
            return;
        st->held = false;
        if (!simple)
            ork_call_leave(st);
        if (st->proc->num_strands > 1)
            wake_siblings(st);
    }
}

/* Go as far as the records and strict semantics allow. */
static void settle(struct strand *st)
{
    go_on(st);
    bool is_odd = st->held || st->queue.count > 0;
    if (is_odd != st->is_odd) {
        st->is_odd = is_odd;
        ork_proc_set_odd(st->proc, ODD_INSIDE, is_odd);
    }
    /* RATIONALE: what it did may have put it to work again, as one of those that wait for their
     * turn. */
    if (st->over && !is_odd && !st->in_work)
        ork_strand_park(st);
}

void ork_run_work(struct ork_detector *d)
{
    struct strand *st;

    while ((st = ork_ready_take(d)) != NULL) {
        if (d->ready.head != NULL)
            ork_warm_next(d->ready.head);
        settle(st);
    }
}

void ork_strand_end(struct proc *p, uint16_t thread)
{
    struct strand *st = ork_strand_find_live(p, thread);

    if (st == NULL)
        return;
    st->over = true; /* and so its latest call has returned */
    if (!st->in_work)
        settle(st);
    ork_run_work(p->d);
}

static bool copy_list(struct ork_detector *d, uint32_t **to, uint32_t *cap, const uint32_t *list,
                      uint32_t count)
{
    if (count > *cap && !ork_grow(d, to, cap, count, sizeof(**to)))
        return false;
    if (count > 0)
        memcpy(*to, list, count * sizeof(**to));
    return true;
}

/* Calls, without lists, that nobody else looks for in a queue. */
static const uint64_t only_wait = messages | UINT64_C(1) << ORK_KIND_COLL;

size_t ork_strand_queue_run(struct strand *st, const struct ork_record *record, size_t n)
{
    struct ork_detector *d = st->proc->d;
    size_t i = 0;

    if (st->queue.count == 0 || st->names != NULL || st->call.kind == ORK_KIND_WIN_LOCK)
        return 0;
    while (i < n && record[i].kind < ORK_KIND_MAX && (only_wait >> record[i].kind & 1) &&
           record[i].count == 0 && record[i].thread == st->thread &&
           slots_push(d, &st->queue, &record[i], ++st->proc->when))
        i++;
    return i;
}

void ork_strand_dispatch(struct strand *st, const struct ork_record *rec, const uint32_t *list)
{
    struct ork_detector *d = st->proc->d;
    bool was_behind = st->queue.count > 0;

    st->proc->when++;
    if (was_behind || (st->held ? !is_inside(st, rec) : st->proc->num_strands > 1)) {
        push_event(st, rec, list);
        if (st->held && st->call.kind == ORK_KIND_WIN_LOCK && st->open > 0)
            ork_rma_has_lock(st);
        else if (was_behind) /* that it moved was known, nothing else has changed */
            return;
    } else if (st->held) {
        if (copy_list(d, &st->outcome, &st->outcome_cap, list, rec->count))
            apply_inside(st, rec, st->outcome);
    } else if (copy_list(d, &st->list, &st->list_cap, list, rec->count)) {
        if (ork_record_is_call(rec)) {
            st->call = *rec;
            begin(st);
        } else {
            apply_outside(st, rec);
        }
    }
    if (!st->in_work)
        settle(st);
    ork_run_work(d);
}
