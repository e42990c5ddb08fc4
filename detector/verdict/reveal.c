/* SPDX-License-Identifier: BSD-3-Clause */
/* Outcomes of pending receives in the records that wait in the queues of threads.
 *
 * The strict analysis holds a thread in a call that the run has left. A later call of the thread
 * completed a receive that was started before, and its record shows which message that took, or
 * that it was cancelled. The source may have come earlier, too, in an EARLY record, but whether one
 * was written depends on timing. */
#include "detector/verdict/reveal.h"

#include "detector/calls/request.h"
#include "detector/match/match.h"

#include <stdlib.h>
#include <string.h>

/* Records of a queue that are read at most: a receive is usually completed soon. */
enum { RECORDS_MAX = 4096 };

struct reading {
    struct proc *p;
    const struct record_queue *queue;
    size_t at;          /* of the next record */
    bool *over;         /* by request: its number no longer means the operation pending now */
    uint32_t undecided; /* receives whose outcome is unknown */
    uint32_t found;
    uint32_t *list; /* of the latest record */
    uint32_t list_cap;
    uint32_t *waited; /* the list of the latest wait */
    uint32_t waited_cap, num_waited;
    bool waits_for_all;
};

static bool is_undecided(const struct request *r)
{
    const struct op *op = r->op;

    return r->in_use && r->active && op != NULL && !op->is_send && !op->observed &&
           (op->cancelling || op->q->src == ORK_ANY_SOURCE || op->q->tag == ORK_ANY_TAG);
}

static uint32_t count_undecided(const struct proc *p)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < p->num_requests; i++)
        n += p->request[i] != NULL && is_undecided(p->request[i]);
    return n;
}

static const struct ork_record *record_at(const struct record_queue *q, size_t i)
{
    return &q->slot[(q->first + i) & (q->cap - 1)];
}

/* Take the next record, and its list. */
static const struct ork_record *next_record(struct reading *in)
{
    const struct ork_record *rec = record_at(in->queue, in->at++);

    if (rec->count > in->list_cap &&
        !ork_grow(in->p->d, &in->list, &in->list_cap, rec->count, sizeof(*in->list)))
        return NULL;
    for (uint32_t done = 0; done < rec->count; done += ORK_CONT_WORDS) {
        struct ork_cont cont;
        memcpy(&cont, record_at(in->queue, in->at++), sizeof(cont));
        memcpy(in->list + done, cont.word, cont.words * sizeof(*in->list));
    }
    return rec;
}

static void withdraw(struct proc *p, struct request *r)
{
    struct op *op = r->op;

    r->op = NULL;
    ork_match_withdraw(p->d, op);
    if (r->waiter != NULL)
        ork_thread_part_done(r->waiter);
}

/* Has the sender of that message sent it, also under strict semantics? RATIONALE: if not, the run
 * could only take it because it had left strict semantics: then the outcome says nothing of a run
 * that keeps to them, in which the receive may take another message. */
static bool is_sent(struct proc *p, const struct request *r, int32_t source, int32_t tag)
{
    uint32_t src;

    return r->on.comm != NULL && tag >= 0 && ork_comm_peer(&r->on, source, &src) &&
           ork_match_probe(p->d, r->on.comm, p->rank, (int32_t)src, tag) != PRESENCE_NONE;
}

static void show_outcome(struct reading *in, uint32_t id, int32_t source, int32_t tag)
{
    struct request *r = ork_request_find(in->p, id);

    if (r == NULL || in->over[id] || !is_undecided(r))
        return;
    if (source == ORK_CANCELLED && r->op->cancelling)
        withdraw(in->p, r);
    else if (source != ORK_CANCELLED && is_sent(in->p, r, source, tag))
        ork_request_observe(in->p, r, source, tag);
    if (!is_undecided(r)) {
        in->found++;
        in->undecided--;
    }
}

static void end_request(struct reading *in, uint32_t id)
{
    if (id >= in->p->num_requests || in->over[id])
        return;
    in->over[id] = true;
    in->undecided -= in->p->request[id] != NULL && is_undecided(in->p->request[id]);
}

static void read_wait(struct reading *in, const struct ork_record *rec)
{
    uint32_t *waited = in->waited;
    uint32_t cap = in->waited_cap;

    in->waited = in->list;
    in->waited_cap = in->list_cap;
    in->list = waited;
    in->list_cap = cap;
    in->num_waited = rec->count;
    in->waits_for_all = rec->mode == ORK_WAIT_ONE || rec->mode == ORK_WAIT_ALL;
}

static void end_wait(struct reading *in)
{
    for (uint32_t i = 0; in->waits_for_all && i < in->num_waited; i++)
        end_request(in, in->waited[i]);
    in->num_waited = 0;
}

/* The outcome of the latest wait. */
static void read_exit(struct reading *in, const struct ork_record *rec)
{
    for (uint32_t i = 0; i + 2 < rec->count; i += 3) {
        if (in->list[i] >= in->num_waited)
            continue;
        uint32_t id = in->waited[in->list[i]];
        show_outcome(in, id, (int32_t)in->list[i + 1], (int32_t)in->list[i + 2]);
        end_request(in, id);
    }
}

static void read_tested(struct reading *in, const struct ork_record *rec)
{
    for (uint32_t i = 0; i + 2 < rec->count; i += 3) {
        show_outcome(in, in->list[i], (int32_t)in->list[i + 1], (int32_t)in->list[i + 2]);
        end_request(in, in->list[i]);
    }
}

static bool makes_request(const struct ork_record *rec)
{
    return ork_record_has(rec, ORK_MAKES_REQUEST) &&
           (rec->flags & (ORK_F_NONBLOCKING | ORK_F_PERSISTENT)) != 0;
}

static void read_record(struct reading *in, const struct ork_record *rec)
{
    if (rec->kind == ORK_KIND_EXIT) {
        read_exit(in, rec);
        return;
    }
    if (rec->kind == ORK_KIND_EARLY) {
        show_outcome(in, rec->request, rec->peer, rec->tag);
        return;
    }
    end_wait(in);
    if (rec->kind == ORK_KIND_WAIT)
        read_wait(in, rec);
    else if (rec->kind == ORK_KIND_TESTED)
        read_tested(in, rec);
    else if (rec->kind == ORK_KIND_REQUEST_FREE || makes_request(rec))
        end_request(in, rec->request);
    for (uint32_t i = 0; rec->kind == ORK_KIND_START && i < rec->count; i++)
        end_request(in, in->list[i]);
}

/* Read the queue of the only thread of the process. */
static void read_queue(struct reading *in)
{
    while (in->undecided > 0 && in->at < in->queue->count && in->at < RECORDS_MAX &&
           !in->p->d->failed) {
        const struct ork_record *rec = next_record(in);
        if (rec == NULL || (rec->flags & ORK_F_ERROR) != 0)
            return;
        read_record(in, rec);
    }
}

uint32_t ork_reveal_outcomes(struct proc *p)
{
    const struct mpi_thread *th = p->num_threads == 1 ? p->thread[0] : NULL;
    struct reading in = {.p = p};

    if (th == NULL || !th->in_call || th->queue.count == 0 ||
        (in.undecided = count_undecided(p)) == 0)
        return 0;
    in.queue = &th->queue;
    in.over = calloc(p->num_requests, sizeof(*in.over));
    if (in.over == NULL)
        p->d->failed = true;
    else
        read_queue(&in);
    free(in.over);
    free(in.list);
    free(in.waited);
    return in.found;
}
