/* SPDX-License-Identifier: BSD-3-Clause */
#include "detector/calls/message_names.h"
#include "detector/calls/progress.h"
#include "detector/calls/request_names.h"
#include "detector/calls/rma.h"
#include "detector/calls/prefetch.h"
#include "detector/check/issue.h"
#include "detector/check/lock_order.h"
#include "detector/check/outcome.h"
#include "detector/check/pattern_users.h"
#include "detector/coll/bulk.h"
#include "detector/detector.h"
#include "detector/issues.h"
#include "detector/history/history.h"
#include "detector/match/queue.h"

#include <stdlib.h>
#include <string.h>

static void proc_release(struct proc *p)
{
    for (uint32_t i = 0; i < p->num_threads; i++)
        ork_thread_destroy(p->thread[i]);
    for (struct mpi_thread *next, *th = p->parked; th != NULL; th = next) {
        next = th->parked;
        ork_thread_destroy(th);
    }
    free(p->thread);
    ork_number_map_release(&p->comms);
    for (uint32_t i = 0; i < p->num_requests; i++) {
        if (p->request[i] != NULL)
            free(p->request[i]->list);
    }
    free(p->request);
    free(p->message);
    free(p->shared_made);
    ork_call_places_release(&p->places);
    free(p->permissive_site);
    free(p->relaxed_site);
    ork_history_release(p);
    ork_rma_release_groups(p);
    free(p->words);
    free(p->pattern_users);
    ork_message_names_release(p);
    ork_request_names_release(p);
}

enum ork_status ork_detector_create(uint32_t nprocs, struct ork_detector **out)
{
    if (nprocs == 0 || nprocs > INT32_MAX)
        return ORK_INVALID;
    struct ork_detector *d = calloc(1, sizeof(*d));
    if (d == NULL)
        return ORK_NOMEM;
    ork_pool_init(&d->matching.ops, sizeof(struct op));
    ork_pool_init(&d->matching.queues, sizeof(struct queue));
    ork_pool_init(&d->collectives.waves, sizeof(struct wave));
    ork_pool_init(&d->requests, sizeof(struct request));
    ork_pool_init(&d->collectives.leader_pairs, sizeof(struct leader_pair));
    ork_pool_init(&d->windows.pairs, sizeof(struct pair));
    ork_pool_init(&d->windows.locks, sizeof(struct lock));
    d->history.full = true; /* no history is kept */
    if (!ork_job_add(d, nprocs)) {
        ork_detector_destroy(d);
        return ORK_NOMEM;
    }
    *out = d;
    return ORK_OK;
}

void ork_detector_set_model(struct ork_detector *d, const struct ork_model *model)
{
    d->model = *model;
}

void ork_detector_destroy(struct ork_detector *d)
{
    if (d == NULL)
        return;
    for (uint32_t r = 0; r < d->nprocs; r++)
        proc_release(d->proc[r]);
    for (uint32_t i = 0; i < d->num_jobs; i++)
        ork_job_destroy(d->job[i]);
    free(d->job);
    ork_comms_release(d);
    free(d->proc);
    ork_queues_destroy(d);
    ork_history_destroy(d);
    ork_bulk_destroy(d);
    ork_issue_destroy(d);
    ork_types_destroy(d);
    ork_pool_release(&d->matching.ops);
    ork_pool_release(&d->matching.queues);
    ork_pool_release(&d->collectives.waves);
    ork_pool_release(&d->requests);
    ork_pool_release(&d->collectives.leader_pairs);
    ork_pool_release(&d->windows.pairs);
    ork_pool_release(&d->windows.locks);
    free(d->windows.pair_hash);
    ork_lock_order_destroy(d);
    free(d);
}

/* ---- records in ---- */

/* What a single thread was in before is followed to its end. RATIONALE: of several threads, others
 * may leave the calls that they are in, which no record will tell. */
static void open_proc(struct proc *p)
{
    p->is_open = true;
    p->state_lost |= p->num_threads > 1;
    ork_proc_set_bulk_blocker(p, BULK_OPEN, true);
}

static void dispatch(struct proc *p, const struct ork_record *rec, uint32_t *list)
{
    if (rec->kind == ORK_KIND_UNHOOKED)
        open_proc(p);
    if (rec->kind == ORK_KIND_TYPE_DEF)
        ork_types_define(p->d, rec, list);
    ork_call_places_define(p, rec, list);
    if (ork_record_has(rec, ORK_IS_SOURCE))
        return;
    if (rec->kind == ORK_KIND_THREAD_END) {
        ork_thread_end(p, rec->thread);
        return;
    }
    struct mpi_thread *th = ork_thread_get(p, rec->thread);
    if (th == NULL)
        return;
    struct ork_record named;
    if (ork_request_has_name(p, rec) || ork_message_has_name(th, rec)) {
        named = *rec;
        ork_request_name(th, &named, list);
        ork_message_name(th, &named);
        rec = &named;
    }
    ork_pattern_users_look(th, rec, list);
    ork_thread_dispatch(th, rec, list);
}

static void take_cont(struct proc *p, const struct ork_record *raw)
{
    struct ork_cont cont;

    memcpy(&cont, raw, sizeof(cont));
    if (!p->is_partial || cont.words == 0 || cont.words > ORK_CONT_WORDS ||
        cont.words > p->partial.count - p->words_have) {
        ork_proc_fault(p, "a continuation without a first record");
        return;
    }
    ORK_ASSERT(p->words_have < p->partial.count);
    if (!ork_grow(p->d, &p->words, &p->words_cap, p->words_have + cont.words, sizeof(*p->words)))
        return;
    memcpy(p->words + p->words_have, cont.word, cont.words * sizeof(*p->words));
    p->words_have += cont.words;
    if (p->words_have < p->partial.count)
        return;
    p->is_partial = false;
    struct ork_record rec = p->partial;
    ork_job_translate(p, &rec, p->words);
    dispatch(p, &rec, p->words);
}

static void take_record(struct proc *p, const struct ork_record *rec)
{
    if (rec->kind == ORK_KIND_CONT) {
        take_cont(p, rec);
    } else if (p->is_partial || rec->kind >= ORK_KIND_MAX || rec->count > ORK_LIST_MAX) {
        ork_proc_fault(p, "a record of an invalid kind or length");
    } else if (rec->count > 0) {
        p->partial = *rec;
        p->words_have = 0;
        p->is_partial = true;
    } else {
        dispatch(p, rec, NULL);
    }
}

static size_t queue_run(struct mpi_thread *th, const struct ork_record *record, size_t n)
{
    return th->proc->several_may_call ? 0 : ork_thread_queue_run(th, record, n);
}

enum ork_status ork_detector_feed(struct ork_detector *d, uint32_t rank,
                                  const struct ork_record *record, size_t n)
{
    if (rank >= d->nprocs)
        return ORK_INVALID;
    struct proc *p = d->proc[rank];
    bool was_partial = p->is_partial;
    d->counts.records += n;
    struct prefetch prefetch;
    ork_prefetch_begin(&prefetch, p);
    ork_bulk_wave_catch_up(p);
    for (size_t i = 0; i < n && p->fault == NULL && !p->is_open && !d->failed;) {
        ork_prefetch_ahead(&prefetch, p, record, i, n);
        take_record(p, &record[i++]);
        if (i < n && p->first != NULL && !p->is_partial)
            i += queue_run(p->first, record + i, n - i);
    }
    if (p->is_partial != was_partial)
        ork_proc_set_bulk_blocker(p, BULK_PARTIAL, p->is_partial);
    return d->failed ? ORK_NOMEM : ORK_OK;
}

static enum ork_status feed_each(struct ork_detector *d,
                                 const struct ork_group_record *group_record, uint32_t n)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t s = 0; s < group_record[i].num_spans; s++) {
            const struct ork_span *span = &group_record[i].span[s];
            for (uint32_t k = 0; k < span->count && status == ORK_OK; k++)
                status = ork_detector_feed(d, span->first + k, &group_record[i].call, 1);
        }
    }
    return status;
}

enum ork_status ork_detector_feed_bulk(struct ork_detector *d,
                                       const struct ork_group_record *group_record, uint32_t n)
{
    bool passed;
    enum ork_status status = ork_bulk_pass(d, group_record, n, &passed);

    return status != ORK_OK || passed ? status : feed_each(d, group_record, n);
}

enum ork_status ork_detector_end(struct ork_detector *d, uint32_t rank, enum ork_end how)
{
    if (rank >= d->nprocs)
        return ORK_INVALID;
    ork_proc_set_bulk_blocker(d->proc[rank], BULK_ENDED, true);
    d->proc[rank]->ended = true;
    d->proc[rank]->end = how;
    return d->failed ? ORK_NOMEM : ORK_OK;
}

enum ork_status ork_detector_lose(struct ork_detector *d, uint32_t rank)
{
    if (rank >= d->nprocs)
        return ORK_INVALID;
    d->proc[rank]->state_lost = true;
    return ORK_OK;
}

enum ork_status ork_detector_returned(struct ork_detector *d, uint32_t rank, uint32_t thread)
{
    if (rank >= d->nprocs)
        return ORK_INVALID;
    struct proc *p = d->proc[rank];
    for (uint32_t i = 0; i < p->num_threads; i++) {
        struct mpi_thread *th = p->thread[i];
        if (th->thread == thread && !th->over)
            ork_outcome_of_call(th, false);
        if (th->thread == thread && !th->over && th->in_call && !th->returned) {
            th->returned = true;
            ork_thread_wake(th); /* a relaxed call site passes again */
        }
    }
    ork_run_work(d);
    return d->failed ? ORK_NOMEM : ORK_OK;
}

enum ork_status ork_detector_set_busy(struct ork_detector *d, uint32_t rank, bool busy)
{
    if (rank >= d->nprocs)
        return ORK_INVALID;
    d->proc[rank]->busy = busy;
    return ORK_OK;
}

enum ork_status ork_detector_set_stuck(struct ork_detector *d, uint32_t rank, bool stuck)
{
    if (rank >= d->nprocs)
        return ORK_INVALID;
    d->proc[rank]->stuck = stuck;
    return ORK_OK;
}

enum ork_status ork_detector_set_resting(struct ork_detector *d, uint32_t rank, uint64_t threads)
{
    if (rank >= d->nprocs)
        return ORK_INVALID;
    d->proc[rank]->resting = threads;
    return ORK_OK;
}

uint64_t ork_detector_resting(const struct ork_detector *d, uint32_t rank)
{
    return rank < d->nprocs ? d->proc[rank]->resting : 0;
}

bool ork_detector_is_inside(const struct ork_detector *d, uint32_t rank, uint32_t thread)
{
    const struct proc *p = rank < d->nprocs ? d->proc[rank] : NULL;

    for (uint32_t i = 0; p != NULL && i < p->num_threads; i++) {
        if (p->thread[i]->thread == thread && !p->thread[i]->over)
            return p->thread[i]->in_call;
    }
    return false;
}

enum ork_status ork_detector_set_polling(struct ork_detector *d, uint32_t rank,
                                         enum ork_polling polling, const struct ork_record *poll)
{
    if (rank >= d->nprocs)
        return ORK_INVALID;
    d->proc[rank]->polling = polling;
    d->proc[rank]->poll = poll != NULL ? *poll : (struct ork_record){.kind = ORK_KIND_TESTED};
    return ORK_OK;
}

bool ork_detector_is_busy(const struct ork_detector *d, uint32_t rank)
{
    return rank < d->nprocs && d->proc[rank]->busy;
}

/* ---- state of ranks, communicators and counters ---- */

bool ork_detector_persistent_receive(const struct ork_detector *d, uint32_t rank, uint32_t request,
                                     struct ork_record *made)
{
    struct proc *p = rank < d->nprocs ? d->proc[rank] : NULL;
    const struct request *r = p == NULL ? NULL : ork_request_find(p, ork_request_named(p, request));

    if (r == NULL || !r->persistent || r->call.kind != ORK_KIND_RECV)
        return false;
    *made = r->call;
    return true;
}

uint64_t ork_detector_queued(const struct ork_detector *d, uint32_t rank)
{
    if (rank >= d->nprocs || d->proc[rank]->num_threads > 1)
        return UINT64_MAX;
    return d->proc[rank]->first != NULL ? d->proc[rank]->first->queue.count : 0;
}

bool ork_detector_is_ahead(const struct ork_detector *d, uint32_t rank)
{
    return rank < d->nprocs && d->proc[rank]->num_unconfirmed > 0;
}

uint32_t ork_detector_comm_of(const struct ork_detector *d, uint32_t rank, uint32_t local)
{
    const struct comm_ref *ref = rank < d->nprocs ? ork_comm_ref(d->proc[rank], local) : NULL;

    return ref != NULL && ref->comm != NULL ? ref->comm->shown : UINT32_MAX;
}

const char *ork_detector_fault(const struct ork_detector *d, uint32_t rank)
{
    return rank < d->nprocs ? d->proc[rank]->fault : NULL;
}

uint32_t ork_detector_next_faulty(const struct ork_detector *d, uint32_t rank)
{
    const struct proc *next = rank < d->nprocs ? d->proc[rank]->next_faulty : d->first_faulty;

    return next != NULL ? next->rank : UINT32_MAX;
}

struct ork_counts ork_detector_counts(const struct ork_detector *d)
{
    return d->counts;
}

struct ork_comm_view ork_detector_comm(const struct ork_detector *d, uint32_t comm)
{
    const struct comm *c = ork_comm_numbered(d, comm);

    if (c == NULL)
        return (struct ork_comm_view){.world_of = UINT32_MAX};
    return (struct ork_comm_view){.name = c->name,
                                  .made_by = c->made_by,
                                  .parent = c->parent,
                                  .color = c->color,
                                  .rank = c->rank,
                                  .site = c->site,
                                  .size = c->self ? 1 : c->size,
                                  .inter = c->inter,
                                  .world_of =
                                      c->world_of != NULL ? c->world_of->number : UINT32_MAX,
                                  .is_parent = c->made_by_child};
}
