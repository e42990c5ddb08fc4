/* SPDX-License-Identifier: BSD-3-Clause */
/* The tool follows each thread through its records. A thread is held inside a call until strict
 * semantics lets the call return; its later records wait in a queue. Every transition is monotone,
 * so the order in which threads are examined does not matter. */
#include "detector/calls/call.h"
#include "detector/calls/definition.h"
#include "detector/calls/progress.h"
#include "detector/calls/request_names.h"
#include "detector/calls/rma.h"
#include "detector/calls/order.h"
#include "detector/calls/prefetch.h"
#include "detector/check/outcome.h"
#include "detector/history/history.h"

#include <stdlib.h>
#include <string.h>

/* ---- queue of records ---- */

/* Double the capacity. */
static bool record_queue_grow(struct ork_detector *d, struct record_queue *q)
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

static inline bool record_queue_push(struct ork_detector *d, struct record_queue *q,
                                     const struct ork_record *rec, uint64_t when)
{
    if (q->count == q->cap && !record_queue_grow(d, q))
        return false;
    q->when[(q->first + q->count) & (q->cap - 1)] = when;
    q->slot[(q->first + q->count++) & (q->cap - 1)] = *rec;
    d->counts.queued++;
    return true;
}

static const struct ork_record *record_queue_front(const struct record_queue *q)
{
    return q->count == 0 ? NULL : &q->slot[q->first];
}

static void record_queue_pop(struct ork_detector *d, struct record_queue *q)
{
    ORK_ASSERT(q->count > 0 && d->counts.queued > 0);
    q->first = (q->first + 1) & (q->cap - 1);
    q->count--;
    d->counts.queued--;
    if (q->count == 0 && q->cap > 4096) { /* a long run-ahead has ended */
        free(q->slot);
        free(q->when);
        *q = (struct record_queue){0};
    }
}

static void push_event(struct mpi_thread *th, const struct ork_record *rec, const uint32_t *list)
{
    struct ork_detector *d = th->proc->d;
    struct record_queue *q = &th->queue;
    uint64_t when = th->proc->when;

    if (th->id_counts != NULL)
        ork_thread_order_queued(th, rec, list);
    if (!record_queue_push(d, q, rec, when))
        return;
    for (uint32_t done = 0; done < rec->count; done += ORK_CONT_WORDS) {
        struct ork_record raw = ork_cont_of(list + done, rec->count - done);
        if (!record_queue_push(d, q, &raw, when))
            return;
    }
}

/* Wake the threads that wait for `th` to make progress first. */
static void wake_siblings(struct mpi_thread *th)
{
    for (uint32_t i = 0; i < th->proc->num_threads; i++) {
        if (ork_thread_order_may_have_come(th->proc->thread[i], th))
            ork_ready_add(th->proc->thread[i]);
    }
}

/* Take the front event; copy its list to *list. */
static bool pop_event(struct mpi_thread *th, struct ork_record *rec, uint32_t **list, uint32_t *cap)
{
    struct ork_detector *d = th->proc->d;
    struct record_queue *q = &th->queue;

    *rec = *record_queue_front(q);
    record_queue_pop(d, q);
    if (rec->count > *cap && !ork_grow(d, list, cap, rec->count, sizeof(**list)))
        return false;
    for (uint32_t done = 0; done < rec->count; done += ORK_CONT_WORDS) {
        struct ork_cont cont;
        ORK_ASSERT(q->count > 0);
        memcpy(&cont, record_queue_front(q), sizeof(cont));
        ORK_ASSERT(cont.kind == ORK_KIND_CONT && cont.words <= rec->count - done);
        memcpy(*list + done, cont.word, cont.words * sizeof(**list));
        record_queue_pop(d, q);
    }
    if (th->id_counts != NULL)
        ork_thread_order_taken(th, rec, *list);
    if (th->proc->num_threads > 1)
        wake_siblings(th);
    return true;
}

/* ---- progress ---- */

static bool is_permissive_site(const struct mpi_thread *th)
{
    uint32_t site = th->call.site;

    return site != 0 && site / 8 < th->proc->permissive_sites &&
           (th->proc->permissive_site[site / 8] >> site % 8 & 1);
}

static void mark_site(struct proc *p, uint8_t **sites, uint32_t *count, uint32_t site)
{
    if (site != 0 && site < UINT32_C(1) << 24 && ork_grow(p->d, sites, count, site / 8 + 1, 1))
        (*sites)[site / 8] |= (uint8_t)(1u << site % 8);
}

bool ork_thread_relax(struct mpi_thread *th, bool is_deadlocked)
{
    struct proc *p = th->proc;
    uint32_t site = th->call.site;

    if (!ork_thread_run_is_ahead(th) || !ork_call_relax(th))
        return false;
    p->depends_on_buffering = true;
    if (p->passed.kind == ORK_KIND_CONT)
        p->passed = th->call;
    mark_site(p, &p->permissive_site, &p->permissive_sites, site);
    if (is_deadlocked)
        mark_site(p, &p->relaxed_site, &p->relaxed_sites, site);
    ork_thread_wake(th);
    return true;
}

/* Is it the outcome of the latest call, and not of a later one? */
static bool is_inside(const struct mpi_thread *th, const struct ork_record *rec)
{
    return !th->exited && (rec->kind == ORK_KIND_EXIT ||
                           (rec->kind == ORK_KIND_EARLY && (rec->flags & ORK_F_NONBLOCKING) == 0));
}

/* Start the call with the records that have arrived: th->call and its list. */
static void begin(struct mpi_thread *th)
{
    ork_history_add(th, &th->call, th->list);
    /* a message that is too long may be what the program ends the run for */
    if (th->call.kind != ORK_KIND_ABORT)
        ork_outcome_of_call(th, false);
    th->in_call = true;
    th->num_calls++;
    th->exited = th->returned = th->confirmed = th->unknown = th->failed = false;
    th->found_source = ORK_NO_PEER;
    th->found_tag = 0;
    th->outcome_count = 0;
    th->open = th->members = th->shared_needed = 0;
    th->proc->d->counts.calls++;
    ork_call_enter(th);
    if (th->proc->several_may_call)
        ork_request_name_reached(th->proc, &th->call);
}

/* A record that does not start a call. th->list holds its list. */
static void apply_outside(struct mpi_thread *th, const struct ork_record *rec)
{
    if (rec->kind == ORK_KIND_EXIT) { /* of a call that did not need its outcome */
        if (rec->flags & ORK_F_ERROR)
            ork_history_add(th, rec, th->list);
        ork_outcome_of_call(th, (rec->flags & ORK_F_ERROR) != 0);
        ork_call_apply_late_exit(th, rec);
        return;
    }
    if (rec->kind == ORK_KIND_EARLY)
        ork_history_add(th, rec, th->list);
    ork_call_define(th, rec, th->list);
}

static void apply_inside(struct mpi_thread *th, const struct ork_record *rec, const uint32_t *list)
{
    ork_history_add(th, rec, list);
    if (rec->kind == ORK_KIND_EARLY) {
        ork_call_define(th, rec, list);
        return;
    }
    th->exited = true;
    th->failed = (rec->flags & ORK_F_ERROR) != 0;
    ork_call_apply_exit(th, rec);
    ork_outcome_of_call(th, th->failed);
}

/* Another thread has freed the communicator while this one was in a call on it. */
static void release_freed(struct mpi_thread *th)
{
    unsigned coll = th->frees;

    th->frees = ORK_COLL_NONE;
    ork_comm_release(th->proc, th->call.comm, coll);
}

static void advance(struct mpi_thread *th)
{
    struct ork_detector *d = th->proc->d;
    struct ork_record rec;

    while (!d->failed && th->proc->fault == NULL) {
        const struct ork_record *front = record_queue_front(&th->queue);
        if (!th->in_call) {
            if (front == NULL)
                return;
            th->thread_order = ORDER_FREE;
            if (th->proc->num_threads > 1) /* a single thread never waits for its turn */
                ork_thread_order_look(th);
            bool begins = ork_record_is_call(front);
            ork_prefetch_front(th);
            if (th->thread_order != ORDER_FREE ||
                !pop_event(th, begins ? &th->call : &rec, &th->list, &th->list_cap))
                return;
            if (begins)
                begin(th);
            else
                apply_outside(th, &rec);
            continue;
        }
        if (front != NULL && is_inside(th, front)) {
            if (!pop_event(th, &rec, &th->outcome, &th->outcome_cap))
                return;
            apply_inside(th, &rec, th->outcome);
            continue;
        }
        if (!th->confirmed && ork_thread_run_is_ahead(th)) {
            th->confirmed = true;
            ork_call_confirm(th);
        }
        /* these are complete when `open` is 0, and then nothing is left to do */
        bool simple = ork_record_has(&th->call, ORK_IS_MESSAGE) && !th->unknown;
        if (!(simple ? th->open == 0 : ork_call_is_over(th)) &&
            !(is_permissive_site(th) && ork_thread_run_is_ahead(th) && ork_call_relax(th) &&
              ork_call_is_over(th)))
            return;
        th->in_call = false;
        if (!simple)
            ork_call_leave(th);
        th->failed = false;
        if (th->frees != ORK_COLL_NONE)
            release_freed(th);
        if (th->proc->num_threads > 1)
            wake_siblings(th);
    }
}

/* Advance as far as the records and strict semantics allow. */
static void finish_step(struct mpi_thread *th)
{
    advance(th);
    bool blocks_bulk = th->in_call || th->queue.count > 0;
    if (blocks_bulk != th->blocks_bulk) {
        th->blocks_bulk = blocks_bulk;
        ork_proc_set_bulk_blocker(th->proc, BULK_IN_CALL, blocks_bulk);
    }
    /* RATIONALE: its progress may have put it on the ready list again, as one of the threads that
     * wait for their turn. */
    if (th->over && !blocks_bulk && !th->in_work)
        ork_thread_park(th);
}

void ork_run_work(struct ork_detector *d)
{
    struct mpi_thread *th;

    while ((th = ork_ready_take(d)) != NULL) {
        if (d->ready.head != NULL)
            ork_prefetch_next(d->ready.head);
        ork_history_before_step(d);
        finish_step(th);
    }
}

void ork_thread_end(struct proc *p, uint16_t thread)
{
    struct mpi_thread *th = ork_thread_find_live(p, thread);

    if (th == NULL)
        return;
    th->over = true; /* so its latest call has returned */
    if (th->queue.count == 0)
        ork_outcome_of_call(th, false);
    if (!th->in_work)
        finish_step(th);
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

/* Is it a call without a list that no other thread searches a queue for? */
static inline bool only_waits(const struct ork_record *rec)
{
    return (ork_record_has(rec, ORK_IS_MESSAGE) || rec->kind == ORK_KIND_COLL) && rec->count == 0;
}

size_t ork_thread_queue_run(struct mpi_thread *th, const struct ork_record *record, size_t n)
{
    struct ork_detector *d = th->proc->d;
    size_t i = 0;

    if (th->queue.count == 0 || th->id_counts != NULL || th->call.kind == ORK_KIND_WIN_LOCK)
        return 0;
    while (i < n && only_waits(&record[i]) && record[i].thread == th->thread &&
           record_queue_push(d, &th->queue, &record[i], ++th->proc->when))
        i++;
    return i;
}

void ork_thread_dispatch(struct mpi_thread *th, const struct ork_record *rec, const uint32_t *list)
{
    struct ork_detector *d = th->proc->d;
    bool was_lagging = th->queue.count > 0;

    th->proc->when++;
    if (was_lagging || (th->in_call ? !is_inside(th, rec) : th->proc->num_threads > 1)) {
        push_event(th, rec, list);
        if (th->in_call && th->call.kind == ORK_KIND_WIN_LOCK && th->open > 0)
            ork_rma_has_lock(th);
        else if (was_lagging) /* it was known that the run is ahead, and nothing else has changed */
            return;
    } else if (th->in_call) {
        if (copy_list(d, &th->outcome, &th->outcome_cap, list, rec->count))
            apply_inside(th, rec, th->outcome);
    } else if (copy_list(d, &th->list, &th->list_cap, list, rec->count)) {
        if (ork_record_is_call(rec)) {
            th->call = *rec;
            begin(th);
        } else {
            apply_outside(th, rec);
        }
    }
    if (!th->in_work)
        finish_step(th);
    ork_run_work(d);
}
