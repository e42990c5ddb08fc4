/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts that help a programmer to fix a deadlock: later calls of a rank in the run, messages that
 * its wildcard receives took, operations that it did not start. Reads only. */
#include "common/vec.h"
#include "detector/match/match.h"
#include "detector/verdict/search.h"

#include <stdlib.h>

/* Maximum number of queued records that are examined. */
enum { LATER_MAX = 4096 };

/* ---- later calls of a rank ---- */

static bool is_peer(const struct comm_ref *ref, int32_t peer, uint32_t process)
{
    uint32_t found;

    return ork_comm_peer(ref, peer, &found) && found == process;
}

static bool is_receive(const struct comm_ref *ref, int32_t peer, int32_t tag,
                       const struct ork_wanted *wanted)
{
    return (peer == ORK_ANY_SOURCE || is_peer(ref, peer, wanted->process)) &&
           (tag == ORK_ANY_TAG || tag == wanted->tag);
}

static bool is_wanted(struct proc *p, const struct ork_record *r, const struct ork_wanted *wanted)
{
    const struct comm_ref *ref = ork_comm_ref(p, r->comm);

    if (ref == NULL || (ref->comm->id != wanted->comm && ref->comm->shown != wanted->comm) ||
        (r->flags & ORK_F_PERSISTENT) != 0)
        return false;
    if (wanted->kind == ORK_KIND_COLL)
        return r->kind == ORK_KIND_COLL && r->mode == wanted->coll;
    if (wanted->kind == ORK_KIND_RECV)
        return (r->kind == ORK_KIND_RECV && is_receive(ref, r->peer, r->tag, wanted)) ||
               (r->kind == ORK_KIND_SENDRECV && is_receive(ref, r->peer2, r->tag2, wanted));
    return (r->kind == ORK_KIND_SEND || r->kind == ORK_KIND_SENDRECV) &&
           is_peer(ref, r->peer, wanted->process) &&
           (wanted->tag == ORK_ANY_TAG || r->tag == wanted->tag);
}

bool ork_detector_later_call(const struct ork_detector *d, uint32_t rank,
                             const struct ork_wanted *wanted, struct ork_record *call,
                             bool *is_next)
{
    struct proc *p = rank < d->nprocs ? d->proc[rank] : NULL;
    uint32_t before = 0;

    if (p == NULL || p->num_threads != 1)
        return false;
    const struct record_queue *q = &p->first->queue;
    for (size_t i = 0; i < q->count && i < LATER_MAX; i++) {
        const struct ork_record *r = &q->slot[(q->first + i) & (q->cap - 1)];
        if (r->kind == ORK_KIND_CONT || r->kind == ORK_KIND_EXIT || r->kind == ORK_KIND_EARLY)
            continue;
        if (is_wanted(p, r, wanted)) {
            *call = *r;
            *is_next = before == 0;
            return true;
        }
        before++;
    }
    return false;
}

struct ork_run_view ork_detector_run(const struct ork_detector *d, uint32_t rank)
{
    const struct proc *p = rank < d->nprocs ? d->proc[rank] : NULL;
    const struct mpi_thread *th = p != NULL ? ork_search_shown(p) : NULL;
    struct ork_run_view run = {.newest.kind = ORK_KIND_CONT};

    if (th == NULL)
        return run;
    run = (struct ork_run_view){
        .is_ahead = ork_thread_run_is_ahead(th), .ended = p->ended, .newest = th->call};
    const struct record_queue *q = &th->queue;
    for (size_t i = q->count; i > 0; i--) {
        const struct ork_record *r = &q->slot[(q->first + i - 1) & (q->cap - 1)];
        if (ork_record_is_call(r)) {
            run.newest = *r;
            break;
        }
    }
    return run;
}

bool ork_detector_thread_call(const struct ork_detector *d, uint32_t rank, uint32_t i,
                              struct ork_thread_call *call)
{
    const struct proc *p = rank < d->nprocs ? d->proc[rank] : NULL;
    const struct mpi_thread *shown = p != NULL ? ork_search_shown(p) : NULL;

    for (uint32_t k = 0; p != NULL && k < p->num_threads; k++) {
        const struct mpi_thread *th = p->thread[k];
        if (th == shown || !th->in_call || i-- > 0)
            continue;
        const struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);
        *call = (struct ork_thread_call){.call = th->call, .comm = ref != NULL ? ref->comm->id : 0};
        return true;
    }
    return false;
}

/* ---- messages that its wildcard receives took ---- */

uint32_t ork_detector_num_taken(const struct ork_detector *d, uint32_t rank)
{
    return rank < d->nprocs ? d->proc[rank]->num_taken : 0;
}

void ork_detector_set_taken(struct ork_detector *d, uint32_t rank, const struct ork_taken *taken,
                            uint32_t n)
{
    struct proc *p = d->proc[rank];

    ORK_ASSERT(n <= ORK_TAKEN_MAX);
    for (uint32_t i = 0; i < n; i++)
        p->taken[i] = taken[i];
    p->num_taken = n;
}

bool ork_detector_taken(const struct ork_detector *d, uint32_t rank, uint32_t i,
                        struct ork_taken *taken)
{
    const struct proc *p = rank < d->nprocs ? d->proc[rank] : NULL;

    if (p == NULL || i >= PROC_TAKEN || i >= p->num_taken)
        return false;
    *taken = p->taken[(p->num_taken - 1 - i) % PROC_TAKEN];
    return true;
}

bool ork_detector_probed(const struct ork_detector *d, uint32_t rank, uint32_t i,
                         struct ork_taken *taken)
{
    const struct proc *p = rank < d->nprocs ? d->proc[rank] : NULL;

    for (uint32_t k = 0; p != NULL && k < p->num_messages; k++) {
        const struct op *op = p->message[k];
        if (op == NULL || op->message == NULL || i-- > 0)
            continue;
        *taken = ork_match_taken(op->message, op);
        return true;
    }
    return false;
}

/* ---- messages that it sent to nobody ---- */

static bool would_take(const struct ork_pending *receive, const struct null_send *send)
{
    struct amount sent = {send->bytes, send->type}, room = {receive->bytes, receive->type};

    return receive->term.comm == send->term.comm &&
           (receive->term.tag == ORK_ANY_TAG || receive->term.tag == send->term.tag) &&
           amounts_agree(sent, room);
}

/* RATIONALE: with several threads, it is unknown which of their sends was the last one. */
bool ork_detector_sent_to_none(const struct ork_detector *d, const struct ork_pending *receive,
                               struct ork_term *send)
{
    const struct proc *p = receive->partner < d->nprocs ? d->proc[receive->partner] : NULL;

    if (p == NULL || p->several || p->first == NULL || receive->term.kind != ORK_KIND_RECV)
        return false;
    for (uint32_t i = 0; i < PROC_NULL_SENDS && i < p->num_null_sends; i++) {
        const struct null_send *sent = &p->null_send[(p->num_null_sends - 1 - i) % PROC_NULL_SENDS];
        if (sent->seq < p->first->sent)
            return false;
        if (would_take(receive, sent)) {
            *send = sent->term;
            return true;
        }
    }
    return false;
}

/* ---- operations that it did not start ---- */

static bool is_unstarted(const struct request *r)
{
    return r != NULL && r->in_use && r->persistent && !r->active &&
           (r->call.kind == ORK_KIND_SEND || r->call.kind == ORK_KIND_RECV);
}

static bool fill_unstarted(struct proc *p, const struct ork_record *call, struct ork_pending *item)
{
    struct comm_ref *ref = ork_comm_ref(p, call->comm);
    uint32_t partner = UINT32_MAX;

    if (ref == NULL || (call->peer != ORK_ANY_SOURCE && !ork_comm_peer(ref, call->peer, &partner)))
        return false;
    *item = (struct ork_pending){.term = {.rank = p->rank,
                                          .index = UINT32_MAX,
                                          .call = call->call,
                                          .kind = call->kind,
                                          .site = call->site,
                                          .comm = ref->comm->id,
                                          .peer = call->peer,
                                          .tag = call->tag},
                                 .partner = partner};
    return true;
}

enum ork_status ork_detector_unstarted(const struct ork_detector *d, const bool *of,
                                       struct ork_pending **unstarted, uint32_t *count)
{
    uint32_t room = 0;

    *unstarted = NULL;
    *count = 0;
    for (uint32_t r = 0; r < d->nprocs; r++) {
        struct proc *p = d->proc[r];
        if (!of[r] || (p->first != NULL && p->first->queue.count > 0)) /* may have started them */
            continue;
        for (uint32_t i = 0; i < p->num_requests; i++) {
            if (!is_unstarted(p->request[i]))
                continue;
            if (!ork_vec_reserve(unstarted, &room, *count + 1, sizeof(**unstarted))) {
                free(*unstarted);
                *unstarted = NULL;
                return ORK_NOMEM;
            }
            *count += fill_unstarted(p, &p->request[i]->call, &(*unstarted)[*count]);
        }
    }
    return ORK_OK;
}

/* ---- collective calls ---- */

bool ork_detector_collectives(const struct ork_detector *d, uint32_t comm, uint32_t rank,
                              uint32_t *calls)
{
    const struct comm *c = ork_comm_numbered(d, comm);

    if (c == NULL || c->self || c->index == NULL || c->shown != c->id)
        return false;
    for (uint32_t i = 0; i < c->size; i++) {
        if (ork_comm_member(c, rank, i) == rank) {
            *calls = ork_comm_calls(c, i);
            return true;
        }
    }
    return false;
}
