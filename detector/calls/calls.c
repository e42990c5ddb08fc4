/* SPDX-License-Identifier: BSD-3-Clause */
/* What each kind of record means: what a call posts, when strict semantics lets it return (MPI-3.1
 * chapters 3 and 5), and what its outcome shows. */
#include "detector/calls/call.h"
#include "detector/calls/definition.h"
#include "detector/calls/request.h"
#include "detector/calls/rma.h"
#include "detector/check/issue.h"
#include "detector/check/happens_before.h"
#include "detector/coll/dynamic_comm.h"
#include "detector/coll/wave.h"
#include "detector/match/match.h"

#include <string.h>

/* Messages of matched probes are numbered densely: a number far beyond all others is none. */
enum { MESSAGES_AHEAD = 1 << 16 };

/* ---- posting ---- */

/* Give a started operation (NULL: complete at once) to the request of rec, if it names one. */
static struct request *give_to_request(struct mpi_thread *th, const struct ork_record *rec,
                                       struct op *op)
{
    struct proc *p = th->proc;

    if (rec->request == ORK_REQUEST_SHARED) {
        ork_shared_add(p, op, rec);
        return NULL;
    }
    struct request *r = (rec->flags & ORK_F_PERSISTENT) ? ork_request_find(p, rec->request)
                                                        : ork_request_new(th, rec);
    if (r == NULL)
        return NULL;
    r->active = true;
    r->took_from = NULL;
    r->assumed = false;
    r->op = op;
    if (op != NULL) {
        op->owner = OWNER_REQUEST;
        op->request = r;
    }
    return r;
}

static void wake_probes(struct proc *p)
{
    for (uint32_t i = 0; p->num_in_probe > 0 && i < p->num_threads; i++) {
        if (p->thread[i]->in_call && p->thread[i]->call.kind == ORK_KIND_PROBE)
            ork_thread_wake(p->thread[i]);
    }
}

/* Where a message goes to, or may come from. */
enum reach {
    REACH_NOBODY,  /* MPI_PROC_NULL, or a call in error: it returns at once */
    REACH_UNKNOWN, /* a communicator made by a call that is not analysed, or a rank that is none:
                      nothing can be said */
    REACH_PROCESS,
    REACH_ANY,
};
struct route {
    enum reach reach;
    int32_t tag;
    const struct comm *comm;
    uint32_t process;
    struct queue_ref queue_ref; /* REACH_PROCESS, one tag: once it was looked at */
};

/* RATIONALE: not by value: compilers build it in small pieces and then copy it in large ones, for
 * which a processor has to wait. */
static void route_of(struct mpi_thread *th, uint32_t comm, int32_t peer, int32_t tag,
                     struct route *to)
{
    const struct comm_ref *ref = ork_comm_ref(th->proc, comm);

    to->tag = tag;
    to->comm = ref != NULL ? ref->comm : NULL;
    if (peer == ORK_PROC_NULL)
        to->reach = REACH_NOBODY;
    else if (ref == NULL)
        to->reach = REACH_UNKNOWN;
    else if (peer == ORK_ANY_SOURCE)
        to->reach = REACH_ANY;
    else
        to->reach = ork_comm_peer(ref, peer, &to->process) ? REACH_PROCESS : REACH_UNKNOWN;
}

static void route_to(struct mpi_thread *th, const struct ork_record *rec, struct route *to)
{
    route_of(th, rec->comm, rec->peer, rec->tag, to);
    if (to->reach == REACH_ANY || (to->reach == REACH_PROCESS && to->tag < 0))
        to->reach = REACH_NOBODY;
}

static void route_from(struct mpi_thread *th, const struct ork_record *rec, int32_t peer,
                       int32_t tag, struct route *from)
{
    route_of(th, rec->comm, peer, tag, from);
    if (from->reach != REACH_UNKNOWN && tag < ORK_ANY_TAG)
        from->reach = REACH_NOBODY;
}

/* The receive was there. */
static bool send_at_once(struct mpi_thread *th, const struct ork_record *rec, struct route *to)
{
    struct op *r = ork_match_lookup(th->proc->d, to->comm, th->proc->rank, to->process, to->tag,
                                    &to->queue_ref)
                       ? ork_match_receiver(&to->queue_ref)
                       : NULL;

    if (r == NULL || rec->mode == ORK_SEND_READY)
        return false;
    ork_match_send(th, r, rec);
    return true;
}

/* The send that is there for a receive; NULL: it has to wait. */
static struct op *find_send(struct mpi_thread *th, struct route *from)
{
    return from->reach == REACH_PROCESS && from->tag != ORK_ANY_TAG &&
                   ork_match_lookup(th->proc->d, from->comm, from->process, th->proc->rank,
                                    from->tag, &from->queue_ref)
               ? ork_match_sender(&from->queue_ref)
               : NULL;
}

/* After find_send(). NULL: out of memory. */
static struct op *post_recv(struct mpi_thread *th, const struct ork_record *rec, struct route *from)
{
    if (th->proc->d->failed)
        return NULL;
    if (from->reach == REACH_PROCESS && from->tag != ORK_ANY_TAG)
        return ork_match_post_recv(th, &from->queue_ref, rec);
    return ork_match_post_any(th, from->comm,
                              from->reach == REACH_ANY ? ORK_ANY_SOURCE : (int32_t)from->process,
                              from->tag, rec);
}

static void resolve_send(struct op *op, struct proc *to)
{
    ork_match_resolve(to->d, op);
    if (to->num_in_probe > 0)
        wake_probes(to);
}

/* May a program rely on it that so much is buffered? */
static bool is_eager(const struct ork_detector *d, const struct ork_record *rec)
{
    return d->model.buffered && rec->bytes <= d->model.eager_bytes;
}

/* Does a send complete when it starts? */
static bool is_buffered(const struct ork_detector *d, const struct ork_record *rec)
{
    return rec->mode == ORK_SEND_BUFFERED || (rec->mode == ORK_SEND_STANDARD && is_eager(d, rec));
}

/* Does MPI_Buffer_detach wait for it? */
static bool fills_buffer(const struct ork_detector *d, const struct ork_record *rec)
{
    return rec->mode == ORK_SEND_BUFFERED && !is_eager(d, rec);
}

static void start_send(struct mpi_thread *th, const struct ork_record *rec)
{
    struct ork_detector *d = th->proc->d;
    struct op *op = NULL;
    struct route to;

    route_to(th, rec, &to);
    if (to.reach == REACH_PROCESS && !send_at_once(th, rec, &to))
        op = d->failed ? NULL : ork_match_post_send(th, &to.queue_ref, rec);
    bool buffered = op != NULL && is_buffered(d, rec);
    give_to_request(th, rec, buffered ? NULL : op);
    if (buffered && fills_buffer(d, rec))
        ork_buffer_add(th->proc, op);
    if (op != NULL)
        resolve_send(op, d->proc[to.process]);
}

static void start_recv(struct mpi_thread *th, const struct ork_record *rec)
{
    struct route from;

    route_from(th, rec, rec->peer, rec->tag, &from);
    bool posts = from.reach == REACH_PROCESS || from.reach == REACH_ANY;
    struct op *send = posts ? find_send(th, &from) : NULL;
    struct op *op = posts && send == NULL ? post_recv(th, rec, &from) : NULL;
    struct request *request = give_to_request(th, rec, op);

    if (send != NULL)
        ork_match_receive(th, send, request);
    else if (op != NULL)
        ork_match_resolve(th->proc->d, op);
}

static struct request *make_persistent(struct mpi_thread *th, const struct ork_record *rec)
{
    struct request *r = ork_request_new(th, rec);

    if (r != NULL)
        r->persistent = true;
    return r;
}

/* RATIONALE: a wave that nobody waits for: MPI-4.0 section 6.13 lets the call return at once. */
static void make_persistent_coll(struct mpi_thread *th, const struct ork_record *rec,
                                 const struct comm_ref *ref)
{
    struct request *r = make_persistent(th, rec);
    struct wave *w = ork_wave_arrive(th, ref->comm, ref->me, rec);

    if (w == NULL)
        return;
    if (r != NULL && !ref->comm->self) {
        r->starts = ork_comm_of_starts(th, ref, w->index);
        r->me = ref->me;
    }
    ork_wave_try_complete(th->proc->d, w);
}

static void start_coll(struct mpi_thread *th, struct request *r, const struct ork_record *rec)
{
    struct ork_detector *d = th->proc->d;

    r->active = true;
    if (r->starts == NULL)
        return;
    struct wave *w = ork_wave_arrive(th, r->starts, r->me, rec);
    if (w == NULL)
        return;
    ork_wave_wait_request(w, r);
    if (d->model.dataflow)
        ork_wave_wake(w);
    ork_wave_try_complete(d, w);
}

/* ---- entering ---- */

static void hold_send(struct mpi_thread *th, const struct ork_record *rec, struct route *to)
{
    struct ork_detector *d = th->proc->d;
    struct op *op = d->failed ? NULL : ork_match_post_send(th, &to->queue_ref, rec);

    if (op == NULL)
        return;
    if (!is_buffered(d, rec)) {
        op->owner = OWNER_THREAD;
        th->send = op;
        th->open++;
    } else if (fills_buffer(d, rec)) {
        ork_buffer_add(th->proc, op);
    }
    resolve_send(op, d->proc[to->process]);
}

static void hold_recv(struct mpi_thread *th, const struct ork_record *rec, struct route *from)
{
    struct op *send = find_send(th, from);

    if (send != NULL) {
        ork_match_receive(th, send, NULL);
        return;
    }
    struct op *op = post_recv(th, rec, from);
    if (op == NULL)
        return;
    op->owner = OWNER_THREAD;
    th->recv = op;
    th->open++;
    ork_match_resolve(th->proc->d, op);
}

static void enter_send(struct mpi_thread *th)
{
    const struct ork_record *rec = &th->call;

    if (rec->flags & ORK_F_PERSISTENT) {
        make_persistent(th, rec);
        return;
    }
    if (rec->flags & ORK_F_NONBLOCKING) {
        start_send(th, rec);
        return;
    }
    struct route to;
    route_to(th, rec, &to);
    if (to.reach == REACH_UNKNOWN)
        th->unknown = true;
    else if (to.reach == REACH_PROCESS && !send_at_once(th, rec, &to))
        hold_send(th, rec, &to);
}

static void enter_recv(struct mpi_thread *th)
{
    const struct ork_record *rec = &th->call;

    if (rec->flags & ORK_F_PERSISTENT) {
        make_persistent(th, rec);
        return;
    }
    if (rec->flags & ORK_F_NONBLOCKING) {
        start_recv(th, rec);
        return;
    }
    struct route from;
    route_from(th, rec, rec->peer, rec->tag, &from);
    if (from.reach == REACH_UNKNOWN)
        th->unknown = true;
    else if (from.reach != REACH_NOBODY)
        hold_recv(th, rec, &from);
}

static void enter_sendrecv(struct mpi_thread *th)
{
    const struct ork_record *rec = &th->call;
    struct route to, from;

    route_to(th, rec, &to);
    route_from(th, rec, rec->peer2, rec->tag2, &from);
    if (to.reach == REACH_UNKNOWN || from.reach == REACH_UNKNOWN) {
        th->unknown = true;
        return;
    }
    if (to.reach == REACH_PROCESS && !send_at_once(th, rec, &to))
        hold_send(th, rec, &to);
    if (from.reach != REACH_NOBODY)
        hold_recv(th, rec, &from);
}

/* Collective, but nothing says that it synchronises (MPI-3.1 sections 6.4.4, 11.2.7 and 13.2.8).
 * MPI_Comm_free is expected to be local in effect, although a library may synchronise (section
 * 6.4.3). */
bool ork_call_never_waits(const struct ork_detector *d, unsigned coll)
{
    return ork_coll_has(coll, ORK_IS_LOCAL) ||
           (coll == ORK_COLL_COMM_FREE && !d->model.free_synchronises);
}

/* The root is no rank: the call fails here. */
static bool has_no_root(const struct comm *c, const struct ork_record *rec)
{
    uint32_t size = c->self ? 1 : c->size;

    return !c->inter && rec->mode != ORK_COLL_INTERCOMM_CREATE && rec->peer >= 0 &&
           (uint32_t)rec->peer >= size;
}

bool ork_call_arrives(const struct comm *c, const struct ork_record *rec)
{
    return rec->mode > ORK_COLL_NONE && rec->mode < ORK_COLL_MAX && !has_no_root(c, rec);
}

static void enter_coll(struct mpi_thread *th)
{
    const struct ork_record *rec = &th->call;
    struct proc *p = th->proc;
    struct comm_ref *ref = ork_comm_ref(p, rec->comm);
    struct comm *c = ref != NULL ? ref->comm : NULL;
    uint32_t me = ref != NULL ? ref->me : 0;

    if (rec->mode == ORK_COLL_NONE || rec->mode >= ORK_COLL_MAX) {
        ork_proc_fault(p, "an unknown collective operation");
        return;
    }
    if (c != NULL && rec->mode == ORK_COLL_COMM_CREATE_GROUP) {
        if (ork_comm_is_outside(p, rec, th->list))
            return; /* gets MPI_COMM_NULL at once */
        c = ork_comm_of_group(p->d, p, rec, th->list, &me);
    }
    if (c == NULL || has_no_root(c, rec)) {
        th->unknown = true;
        th->made_on = MADE_ON_UNKNOWN;
        if (rec->flags & ORK_F_NONBLOCKING)
            give_to_request(th, rec, NULL);
        if (rec->flags & ORK_F_PERSISTENT)
            make_persistent(th, rec);
        return;
    }
    if (rec->flags & ORK_F_PERSISTENT) {
        make_persistent_coll(th, rec, ref);
        return;
    }
    struct wave *w = ork_wave_arrive(th, c, me, rec);
    if (w == NULL)
        return;
    if (rec->flags & ORK_F_NONBLOCKING) {
        give_to_request(th, rec, NULL);
        struct request *r = ork_request_find(p, rec->request);
        if (r != NULL) {
            r->starter = th;
            ork_wave_wait_request(w, r);
        }
    } else if (!ork_call_never_waits(p->d, rec->mode)) {
        ork_wave_wait(w, th);
        th->open = 1;
    }
    if (rec->mode == ORK_COLL_INTERCOMM_CREATE)
        ork_leader_pair_arrive(th, w, ref, rec);
    if (p->d->model.dataflow)
        ork_wave_wake(w);
    ork_wave_try_complete(p->d, w);
}

static void enter_finalize(struct mpi_thread *th)
{
    struct proc *p = th->proc;

    ork_issue_leaks(p);
    struct comm *c = p->job->finalize;
    uint32_t me = p->rank - p->job->first;
    if (c->index[me] > 0)
        return; /* a second MPI_Finalize is an error of its own */
    struct wave *w = ork_wave_arrive(th, c, me, &th->call);
    if (w == NULL)
        return;
    ork_wave_wait(w, th);
    th->open = 1;
    ork_job_try_finalize(p->d);
}

/* ---- matched probes ---- */

static void take_message(struct mpi_thread *th, uint32_t message, int32_t source, int32_t tag)
{
    struct proc *p = th->proc;
    struct comm_ref *ref = ork_comm_ref(p, th->call.comm);
    uint32_t src;

    if (message >= p->num_messages + MESSAGES_AHEAD || message >= ORK_REQUEST_SHARED ||
        ref == NULL || !ork_comm_peer(ref, source, &src) || tag < 0)
        return;
    if (!ork_grow(p->d, &p->message, &p->num_messages, message + 1, sizeof(struct op *)))
        return;
    struct queue_ref queue_ref;
    struct op *op = ork_match_lookup(p->d, ref->comm, src, p->rank, tag, &queue_ref)
                        ? ork_match_post_recv(th, &queue_ref, &th->call)
                        : NULL;
    if (op == NULL)
        return;
    p->message[message] = op;
    ork_match_mprobe(p->d, op);
}

static void enter_probed(struct mpi_thread *th)
{
    const struct ork_record *rec = &th->call;
    struct comm_ref *ref = ork_comm_ref(th->proc, rec->comm);
    uint32_t source;

    if (ref != NULL && ork_comm_peer(ref, rec->peer2, &source)) {
        enum presence found =
            ork_match_probe(th->proc->d, ref->comm, th->proc->rank, (int32_t)source, rec->tag2);
        ork_seen_by_probe(th->proc, ref->comm, source, rec->tag2, found == PRESENCE_SURE);
    }
    if (rec->flags & ORK_F_MATCHED)
        take_message(th, rec->request, rec->peer2, rec->tag2);
}

static void enter_mrecv(struct mpi_thread *th)
{
    const struct ork_record *rec = &th->call;
    struct proc *p = th->proc;
    struct op *op = rec->arg < p->num_messages ? p->message[rec->arg] : NULL;

    if (rec->flags & ORK_F_NONBLOCKING)
        give_to_request(th, rec, NULL);
    if (op == NULL)
        return;
    p->message[rec->arg] = NULL;
    ork_match_release_mprobed(p->d, op);
}

static void enter_probe(struct mpi_thread *th)
{
    struct route from;

    route_of(th, th->call.comm, th->call.peer, th->call.tag, &from);
    th->unknown = from.reach == REACH_UNKNOWN;
    th->proc->num_in_probe++;
}

static bool probe_is_over(struct mpi_thread *th)
{
    const struct ork_record *rec = &th->call;
    struct comm_ref *ref = ork_comm_ref(th->proc, rec->comm);
    struct ork_detector *d = th->proc->d;
    uint32_t src;

    if (th->unknown)
        return ork_thread_run_is_ahead(th);
    if (rec->peer == ORK_PROC_NULL)
        return true;
    bool told = th->exited && ork_comm_peer(ref, th->found_source, &src);
    bool moved = !told && ork_thread_run_is_ahead(th) && rec->tag != ORK_ANY_TAG &&
                 !(rec->flags & ORK_F_MATCHED) && ork_comm_peer(ref, rec->peer, &src);
    if (told || moved) {
        enum presence found = ork_match_probe(d, ref->comm, th->proc->rank, (int32_t)src,
                                              told ? th->found_tag : rec->tag);
        /* a pending receive may have taken the message before: then it was another one */
        th->proc->depends_on_buffering |= found == PRESENCE_MAYBE && !(rec->flags & ORK_F_MATCHED);
        return found != PRESENCE_NONE;
    }
    if (rec->peer == ORK_ANY_SOURCE || (rec->flags & ORK_F_MATCHED) ||
        !ork_comm_peer(ref, rec->peer, &src))
        return false;
    return ork_match_probe(d, ref->comm, th->proc->rank, (int32_t)src, rec->tag) == PRESENCE_SURE;
}

static void enter_start(struct mpi_thread *th)
{
    for (uint32_t i = 0; i < th->call.count; i++) {
        struct request *r = ork_request_find(th->proc, th->list[i]);
        if (r == NULL || !r->persistent)
            continue;
        if (r->active)
            ork_request_consume(th, th->list[i], ORK_NO_PEER, ORK_ANY_TAG);
        struct ork_record again = r->call;
        again.site = th->call.site;
        if (again.kind == ORK_KIND_COLL)
            start_coll(th, r, &again);
        else if (again.kind == ORK_KIND_SEND)
            start_send(th, &again);
        else
            start_recv(th, &again);
    }
}

static void enter_tested(struct mpi_thread *th)
{
    for (uint32_t i = 0; i + 2 < th->call.count; i += 3)
        ork_request_consume(th, th->list[i], (int32_t)th->list[i + 1], (int32_t)th->list[i + 2]);
    ork_seen_everything(th->proc);
}

void ork_call_enter(struct mpi_thread *th)
{
    struct ork_record *rec = &th->call;

    switch ((enum ork_kind)rec->kind) {
    case ORK_KIND_SEND:
        enter_send(th);
        break;
    case ORK_KIND_RECV:
        enter_recv(th);
        break;
    case ORK_KIND_SENDRECV:
        enter_sendrecv(th);
        break;
    case ORK_KIND_PROBE:
        enter_probe(th);
        break;
    case ORK_KIND_PROBED:
        enter_probed(th);
        break;
    case ORK_KIND_MRECV:
        enter_mrecv(th);
        break;
    case ORK_KIND_START:
        enter_start(th);
        break;
    case ORK_KIND_WAIT:
        ork_wait_enter(th);
        break;
    case ORK_KIND_TESTED:
        enter_tested(th);
        break;
    case ORK_KIND_CANCEL:
        ork_request_cancel(th, rec->request);
        break;
    case ORK_KIND_REQUEST_FREE:
        ork_request_free(th, rec->request);
        break;
    case ORK_KIND_COLL:
        enter_coll(th);
        break;
    case ORK_KIND_FINALIZE:
        enter_finalize(th);
        break;
    case ORK_KIND_ABORT:
        th->proc->d->aborted = true;
        th->unknown = true;
        break;
    case ORK_KIND_OPAQUE:
        th->unknown = true;
        break;
    case ORK_KIND_BUFFER_DETACH:
        th->open = th->proc->buffered != NULL;
        break;
    case ORK_KIND_WIN_POST:
    case ORK_KIND_WIN_START:
    case ORK_KIND_WIN_COMPLETE:
    case ORK_KIND_WIN_WAIT:
    case ORK_KIND_WIN_TESTED:
    case ORK_KIND_WIN_LOCK:
    case ORK_KIND_WIN_UNLOCK:
        ork_rma_enter(th);
        break;
    case ORK_KIND_INIT:
        break;
    case ORK_KIND_CONT:
    case ORK_KIND_MODULE:
    case ORK_KIND_SITE:
    case ORK_KIND_JOB:
    case ORK_KIND_COMM_DEF:
    case ORK_KIND_COMM_NAME:
    case ORK_KIND_CONTROL:
    case ORK_KIND_THREAD_END:
    case ORK_KIND_EARLY:
    case ORK_KIND_EXIT:
    case ORK_KIND_MAX:
        ork_proc_fault(th->proc, "a record of an invalid kind");
        break;
    }
}

/* ---- leaving ---- */

static bool is_rma(const struct mpi_thread *th)
{
    return ork_record_has(&th->call, ORK_IS_WINDOW);
}

/* MPI_Comm_spawn and the like: when the group is there, the rest depends on processes that may be
 * outside the tool. */
static bool reaches_outside(const struct mpi_thread *th)
{
    return ork_coll_has(th->call.mode, ORK_IS_DYNAMIC);
}

static bool coll_is_over(struct mpi_thread *th)
{
    if (th->unsure != NULL)
        return false;
    if (th->wave != NULL && th->wave->unsure == 0 && th->proc->d->model.dataflow &&
        !ork_wave_lacks_data(th->proc, th->wave, &th->call)) {
        ork_wave_unlink_waiter(th);
        th->open = 0;
        ork_seen_everything(th->proc);
    }
    if (th->open == 0 && reaches_outside(th))
        th->unknown = true;
    return th->unknown ? ork_thread_run_is_ahead(th) : th->open == 0;
}

bool ork_call_is_over(struct mpi_thread *th)
{
    if (th->proc->d->failed)
        return false;
    switch ((int)th->call.kind) {
    case ORK_KIND_SEND:
    case ORK_KIND_RECV:
    case ORK_KIND_SENDRECV:
        return th->unknown ? ork_thread_run_is_ahead(th) : th->open == 0;
    case ORK_KIND_PROBE:
        return probe_is_over(th);
    case ORK_KIND_WAIT:
        return ork_wait_is_over(th);
    case ORK_KIND_COLL:
        return coll_is_over(th);
    default:
        if (is_rma(th))
            return ork_rma_is_over(th);
        return th->unknown ? ork_thread_run_is_ahead(th) : th->open == 0;
    }
}

void ork_call_leave(struct mpi_thread *th)
{
    switch ((int)th->call.kind) {
    case ORK_KIND_SEND:
    case ORK_KIND_RECV:
    case ORK_KIND_SENDRECV:
        break;
    case ORK_KIND_PROBE:
        th->proc->num_in_probe--;
        if ((th->call.flags & ORK_F_MATCHED) && !th->unknown && th->exited)
            take_message(th, th->found_message, th->found_source, th->found_tag);
        ork_seen_everything(th->proc);
        break;
    case ORK_KIND_WAIT:
        ork_wait_leave(th);
        break;
    case ORK_KIND_COLL:
        if (ork_coll_has(th->call.mode, ORK_IS_DESTRUCTOR))
            ork_comm_release(th->proc, th->call.comm, th->call.mode);
        if (th->unknown)
            ork_seen_everything(th->proc);
        break;
    default:
        if (is_rma(th))
            ork_rma_leave(th);
        break;
    }
}

void ork_call_apply_exit(struct mpi_thread *th, const struct ork_record *rec, const uint32_t *list)
{
    struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);
    uint32_t src;

    (void)list; /* is st->outcome */
    th->outcome_count = rec->count;
    th->found_source = rec->peer;
    th->found_tag = rec->tag;
    th->found_message = rec->request;
    if (rec->flags & ORK_F_ERROR) {
        ork_fail_inside(th, rec);
        return;
    }
    if (th->call.kind == ORK_KIND_WAIT) {
        ork_wait_apply_exit(th);
    } else if (th->recv != NULL && ref != NULL && ork_comm_peer(ref, rec->peer, &src) &&
               rec->tag >= 0) {
        if (th->recv->q->src == ORK_ANY_SOURCE || th->recv->q->tag == ORK_ANY_TAG)
            ork_match_observe(th->proc->d, th->recv, (int32_t)src, rec->tag);
    }
}

void ork_call_confirm(struct mpi_thread *th)
{
    if (th->call.kind == ORK_KIND_WAIT)
        ork_wait_confirm(th);
    else if (th->call.kind == ORK_KIND_COLL)
        ork_wave_confirm(th);
    else if (th->recv != NULL)
        ork_match_confirm(th->proc->d, th->recv);
}

/* The run went past this call: let go of what only a strict reading waits for. */
bool ork_call_relax(struct mpi_thread *th)
{
    bool any = false;

    if (th->call.kind == ORK_KIND_WAIT)
        return ork_wait_relax(th);
    if (is_rma(th))
        return ork_rma_relax(th);
    if (th->call.kind == ORK_KIND_BUFFER_DETACH) {
        any = th->open > 0;
        th->open = 0;
        return any;
    }
    if (th->send != NULL) {
        ork_match_detach(th->send);
        th->send = NULL;
        th->open--;
        any = true;
    }
    if (th->wave != NULL) {
        ork_wave_unlink_waiter(th);
        th->open = 0;
        any = true;
    }
    return any;
}

/* The same for what it receives: when nothing else is left. */
bool ork_call_release_completed(struct mpi_thread *th)
{
    if (th->call.kind == ORK_KIND_WAIT)
        return ork_wait_let_go(th);
    if (th->call.kind == ORK_KIND_PROBE) {
        th->unknown = true;
        return true;
    }
    if (th->recv == NULL)
        return false;
    ork_match_leave_unconfirmed(th->recv);
    th->recv = NULL;
    th->open--;
    return true;
}

void ork_call_define(struct mpi_thread *th, const struct ork_record *rec, const uint32_t *list)
{
    if (rec->kind == ORK_KIND_COMM_DEF)
        ork_comm_define(th, rec, list);
    else if (rec->kind == ORK_KIND_CONTROL)
        th->proc->quiet = rec->arg == 0;
    else if (rec->kind == ORK_KIND_EARLY)
        ork_request_early(th, rec);
    else
        ork_comm_set_name(th->proc, rec, list);
}
