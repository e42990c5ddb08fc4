/* SPDX-License-Identifier: BSD-3-Clause */
/* A receive that failed because its message was too long (MPI-3.1 section 3.2.4), where the run
 * does not show which message it took. */
#include "detector/check/matching_types.h"
#include "detector/match/match.h"
#include "detector/match/resolve.h"
#include "record/calls.h"

#include <string.h>

/* RATIONALE: more do not help the user. */
enum { MESSAGES_MAX = 64 };

static bool may_take_from(const struct op *r, const struct queue *exact)
{
    const struct queue *q = r->q;

    return exact->comm == q->comm && exact->dst == q->dst &&
           (q->src == ORK_ANY_SOURCE || q->src == exact->src) &&
           (q->tag == ORK_ANY_TAG || q->tag == exact->tag);
}

/* Messages of the same source before `s` that `r` would take first (MPI-3.1 section 3.5). */
static uint32_t messages_before(const struct op *r, const struct op *s)
{
    uint32_t n = 0;

    if (r->q->tag == ORK_ANY_TAG) {
        for (const struct op *before = s->prev; before != NULL; before = before->prev)
            n++;
    } else {
        for (const struct op *before = s->side_prev; before != NULL; before = before->side_prev)
            n++;
    }
    return n;
}

/* Receives that may have taken earlier messages of `q`. */
static uint32_t rivals_of(const struct queue *q, const struct op *r)
{
    uint32_t n = 0;

    if (r->thread->proc->several) /* the order of their postings is unknown */
        return UINT32_MAX;
    for (const struct op *w = q->recvs.head; w != NULL && w->seq < r->seq; w = w->next)
        n++;
    return q->exact_only ? n : n + ork_match_earlier_rivals(q, r, UINT32_MAX);
}

bool ork_match_report_longer(const struct op *r)
{
    struct ork_detector *d = r->thread->proc->d;
    uint32_t found = 0;

    for (uint32_t i = 0; i < d->matching.exact.buckets; i++) {
        for (struct queue *q = d->matching.exact.bucket[i]; q != NULL; q = q->hash_next) {
            if (!may_take_from(r, q))
                continue;
            uint32_t rivals = rivals_of(q, r);
            for (struct op *s = q->sends.head; s != NULL && found < MESSAGES_MAX;
                 s = s->side_next) {
                if (s->bytes <= r->bytes || messages_before(r, s) > rivals)
                    continue;
                ork_types_report_possible(d, s, r);
                found++;
            }
        }
    }
    return found > 0;
}

/* ---- a rank that ended in the call ---- */

static void report(struct op *r)
{
    if (r == NULL || r->is_send || r->mprobe || !r->queued)
        return;
    r->truncated = true;
    ork_match_report_longer(r);
}

static void report_requests(struct proc *p)
{
    for (uint32_t i = 0; i < p->num_requests; i++) {
        if (p->request[i] != NULL && p->request[i]->active)
            report(p->request[i]->op);
    }
}

static void report_waited(const struct mpi_thread *th)
{
    for (uint32_t i = 0; i < th->call.count; i++) {
        struct request *r = ork_request_find(th->proc, th->list[i]);
        if (r != NULL && r->active)
            report(r->op);
    }
}

static bool is_test(const char *call)
{
    return strncmp(call, "MPI_Test", 8) == 0 || strncmp(call, "MPI_Request_get_status", 22) == 0;
}

enum ork_status ork_detector_name_truncated(struct ork_detector *d, uint32_t rank, const char *call)
{
    if (rank >= d->nprocs)
        return ORK_INVALID;
    struct proc *p = d->proc[rank];
    if (is_test(call)) /* a test that has not succeeded is not recorded */
        report_requests(p);
    for (uint32_t i = 0; i < p->num_threads && !is_test(call); i++) {
        const struct mpi_thread *th = p->thread[i];
        if (!th->in_call || th->queue.count > 0 || strcmp(ork_call_name(th->call.call), call) != 0)
            continue;
        if (th->call.kind == ORK_KIND_WAIT)
            report_waited(th);
        else if (th->call.kind == ORK_KIND_RECV || th->call.kind == ORK_KIND_SENDRECV)
            report(th->recv);
    }
    return d->failed ? ORK_NOMEM : ORK_OK;
}
