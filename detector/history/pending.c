/* SPDX-License-Identifier: BSD-3-Clause */
/* What is pending at a moment of the strict analysis: requests, and the call in which each rank is.
 * Whoever reads these records, and then those that follow, reads a program that begins at this
 * moment.
 *
 * Invariant: each operation that is posted, and each arrival at a collective call that is not
 * complete, is written exactly once. Otherwise nothing is written. */
#include "detector/history/pending.h"

#include <stdlib.h>
#include <string.h>

struct writer {
    struct ork_detector *d;
    struct proc *p;
    struct pending *to;
    const struct request **started; /* of the process; in the order in which they were posted */
    uint32_t num_started, started_cap;
    uint64_t ops, arrivals; /* of all processes */
    bool is_complete;       /* so far */
};

static bool add(struct writer *w, const struct ork_record *rec)
{
    if (!ork_grow(w->d, &w->to->record, &w->to->cap, w->to->count + 1, sizeof(*w->to->record)))
        return false;
    w->to->record[w->to->count++] = *rec;
    return true;
}

static void write_record(struct writer *w, const struct ork_record *rec, const uint32_t *list)
{
    bool good = add(w, rec);

    for (uint32_t done = 0; done < rec->count && good; done += ORK_CONT_WORDS) {
        struct ork_record raw = ork_cont_of(list + done, rec->count - done);
        good = add(w, &raw);
    }
    w->is_complete &= good;
}

static void write_on(struct writer *w, const struct ork_record *rec, const uint32_t *list,
                     const struct comm_ref *on)
{
    struct ork_record own = *rec;

    if (on == NULL || on->comm == NULL) {
        w->is_complete = false;
        return;
    }
    own.comm = on->comm->id;
    own.extra = on->me;
    on->comm->recorded = true;
    write_record(w, &own, list);
}

/* Is all that later records depend on in the call that posted it, or in the EXIT record of the call
 * that waits for it? */
static bool is_plain(const struct op *op)
{
    const struct mpi_thread *waiter = op->owner == OWNER_REQUEST  ? op->request->waiter
                                      : op->owner == OWNER_THREAD ? op->thread
                                                                  : NULL;
    bool is_choice = op->peer == ORK_ANY_SOURCE || op->tag == ORK_ANY_TAG;
    bool is_told = !op->observed || !is_choice || (waiter != NULL && waiter->exited);

    return !op->unconfirmed && is_told && !op->cancelling && !op->mprobe && !op->returned &&
           !op->is_freed && op->owner != OWNER_BUFFER && op->owner != OWNER_MESSAGE;
}

/* Has no later receive taken a message that this one may take? RATIONALE: the analysis only counts
 * such messages until the run shows which one went where. Another one than the one that is left may
 * be pending. */
static bool is_next(const struct op *op)
{
    return op->is_send || (op->overtaken == 0 && op->seq >= op->q->passed);
}

static void count_op(struct writer *w, const struct op *op)
{
    w->is_complete &= is_plain(op) && is_next(op);
    w->ops++;
}

/* ---- requests ---- */

static void note_started(struct writer *w, const struct request *r)
{
    if (!ork_grow(w->d, &w->started, &w->started_cap, w->num_started + 1, sizeof(*w->started))) {
        w->is_complete = false;
        return;
    }
    w->started[w->num_started++] = r;
}

static int compare_started(const void *a, const void *b)
{
    const struct request *x = *(const struct request *const *)a;
    const struct request *y = *(const struct request *const *)b;

    return (x->op->seq > y->op->seq) - (x->op->seq < y->op->seq);
}

static void write_start(struct writer *w, const struct request *r)
{
    const struct ork_record start = {.kind = ORK_KIND_START, .peer = ORK_NO_PEER, .count = 1};

    if (r->persistent)
        write_record(w, &start, &r->id);
    else
        write_on(w, &r->call, NULL, &r->on);
    count_op(w, r->op);
}

/* RATIONALE: persistent requests that are not active, too: a later MPI_Start names only their
 * number. A request that is complete is not written: whoever waits for it does not have to wait. */
static void write_requests(struct writer *w)
{
    struct proc *p = w->p;

    w->num_started = 0;
    for (uint32_t i = 0; i < p->num_requests && w->is_complete; i++) {
        const struct request *r = ork_request_find(p, i);
        bool is_message =
            r != NULL && (r->call.kind == ORK_KIND_SEND || r->call.kind == ORK_KIND_RECV);
        if (r == NULL)
            continue;
        w->is_complete &= r->wave == NULL && (is_message || (r->op == NULL && !r->persistent));
        if (r->persistent && w->is_complete)
            write_on(w, &r->call, NULL, &r->on);
        if (r->op != NULL)
            note_started(w, r);
    }
    if (w->num_started > 1)
        qsort(w->started, w->num_started, sizeof(*w->started), compare_started);
    for (uint32_t i = 0; i < w->num_started && w->is_complete; i++)
        write_start(w, w->started[i]);
}

/* ---- the call in which the rank is ---- */

/* Of MPI_Sendrecv perhaps only the half that is not complete. */
static void write_message(struct writer *w, const struct mpi_thread *th)
{
    struct ork_record rec = th->call;

    if (th->send != NULL && th->recv == NULL) {
        rec.kind = ORK_KIND_SEND;
    } else if (rec.kind == ORK_KIND_SENDRECV && th->send == NULL) {
        rec.kind = ORK_KIND_RECV;
        rec.peer = rec.peer2;
        rec.tag = rec.tag2;
    }
    write_on(w, &rec, NULL, ork_comm_ref(w->p, rec.comm));
    if (th->send != NULL)
        count_op(w, th->send);
    if (th->recv != NULL)
        count_op(w, th->recv);
}

static void write_arrival(struct writer *w, const struct mpi_thread *th)
{
    const struct ork_record *rec = &th->call;

    w->arrivals++;
    w->is_complete &= th->wave != NULL && th->unsure == NULL;
    if (rec->kind == ORK_KIND_FINALIZE)
        write_record(w, rec, NULL);
    else if (ork_coll_has(rec->mode, ORK_IS_OPERATION) &&
             (rec->flags & (ORK_F_NONBLOCKING | ORK_F_PERSISTENT)) == 0)
        write_on(w, rec, th->list, ork_comm_ref(w->p, rec->comm));
    else
        w->is_complete = false;
}

/* RATIONALE: the records that follow do not have it. */
static void write_outcome(struct writer *w, const struct mpi_thread *th)
{
    const struct ork_record exit = {.kind = ORK_KIND_EXIT,
                                    .peer = th->found_source,
                                    .tag = th->found_tag,
                                    .request = ORK_REQUEST_NULL,
                                    .count = th->outcome_count};

    w->is_complete &= !th->failed && (th->call.flags & ORK_F_MATCHED) == 0;
    write_record(w, &exit, th->outcome);
}

static void write_call(struct writer *w, const struct mpi_thread *th)
{
    const struct ork_record *rec = &th->call;

    if (!th->in_call || (th->open == 0 && !th->unknown && rec->kind != ORK_KIND_WAIT &&
                         rec->kind != ORK_KIND_PROBE))
        return;
    w->is_complete &= !th->unknown;
    switch ((unsigned)rec->kind) { /* few of all kinds */
    case ORK_KIND_SEND:
    case ORK_KIND_RECV:
    case ORK_KIND_SENDRECV:
        write_message(w, th);
        break;
    case ORK_KIND_WAIT:
        write_record(w, rec, th->list);
        break;
    case ORK_KIND_PROBE:
        write_on(w, rec, NULL, ork_comm_ref(w->p, rec->comm));
        break;
    case ORK_KIND_COLL:
    case ORK_KIND_FINALIZE:
        write_arrival(w, th);
        break;
    default:
        w->is_complete = false;
        break;
    }
    if (th->exited)
        write_outcome(w, th);
}

/* ---- all ---- */

/* Nothing that only the detector's state tells. */
static bool is_told(const struct proc *p)
{
    bool is = p->fault == NULL && !p->several && p->num_threads <= 1 && !p->state_lost &&
              !p->assumed && p->num_unconfirmed == 0 && p->shared_count == 0 &&
              p->buffered == NULL && p->message_names.count == 0 && p->message_names.num_early == 0;

    for (uint32_t i = 0; i < p->num_messages && is; i++)
        is = p->message[i] == NULL;
    return is;
}

static void write_process(struct writer *w)
{
    w->to = &w->p->history.at_mark;
    w->to->count = 0;
    w->is_complete &= is_told(w->p);
    if (w->is_complete)
        write_requests(w);
    if (w->is_complete && w->p->num_threads == 1)
        write_call(w, w->p->thread[0]);
}

/* False: some are complete, but earlier ones are not. */
static bool count_arrivals(const struct ork_detector *d, uint64_t *arrivals)
{
    bool good = true;

    *arrivals = 0;
    for (const struct comm *c = d->comms.oldest; c != NULL && good; c = c->newer) {
        for (uint32_t k = 0; k < c->waves && good; k++) {
            const struct wave *v = c->wave[(c->wave_first + k) % c->wave_cap];
            good = !v->complete;
            *arrivals += v->arrived;
        }
    }
    return good;
}

bool ork_pending_write(struct ork_detector *d)
{
    struct writer w = {.d = d, .is_complete = d->num_jobs == 1 && !d->failed};
    uint64_t arrivals;

    for (uint32_t r = 0; r < d->nprocs && w.is_complete; r++) {
        w.p = d->proc[r];
        write_process(&w);
    }
    free(w.started);
    return w.is_complete && w.ops == d->matching.ops.used && count_arrivals(d, &arrivals) &&
           w.arrivals == arrivals;
}

void ork_pending_release(struct pending *pending)
{
    free(pending->record);
    *pending = (struct pending){0};
}
