/* SPDX-License-Identifier: BSD-3-Clause */
/* Point-to-point calls (MPI-3.1 chapter 3), and MPI_Buffer_detach, which waits for the messages in
 * the buffer. */
#include "detector/calls/call_type.h"
#include "detector/calls/p2p.h"
#include "detector/calls/request.h"
#include "detector/check/matching_types.h"
#include "detector/match/match.h"

#include <string.h>

/* ---- posting ---- */

struct request *ork_p2p_give_to_request(struct mpi_thread *th, const struct ork_record *rec,
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
    if (r->op != NULL) /* invalid records: the request is started while it is active */
        ork_match_detach(r->op);
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

/* Where a message goes, or may come from. */
enum reach {
    REACH_NONE,    /* MPI_PROC_NULL, or an erroneous call: it returns at once */
    REACH_UNKNOWN, /* the communicator was made by a call that is not analysed, or the rank is
                    * invalid: nothing is known */
    REACH_PROCESS,
    REACH_ANY,
};
struct route {
    enum reach reach;
    int32_t tag;
    const struct comm *comm;
    bool is_choice; /* REACH_ANY, and several processes may send */
    uint32_t process;
    struct queue_ref queue_ref; /* REACH_PROCESS, one tag: set after the lookup */
};

/* RATIONALE: not returned by value. Compilers write it in small pieces and then copy it in large
 * ones, which stalls a processor. */
static void route_of(const struct comm_ref *ref, int32_t peer, int32_t tag, struct route *to)
{
    to->tag = tag;
    to->comm = ref != NULL ? ref->comm : NULL;
    to->is_choice = false;
    if (peer == ORK_PROC_NULL)
        to->reach = REACH_NONE;
    else if (to->comm == NULL)
        to->reach = REACH_UNKNOWN;
    else if (peer == ORK_ANY_SOURCE) {
        to->reach = REACH_ANY;
        to->is_choice = ork_comm_has_several(ref);
    } else
        to->reach = ork_comm_peer(ref, peer, &to->process) ? REACH_PROCESS : REACH_UNKNOWN;
}

static void route_to(const struct comm_ref *ref, const struct ork_record *rec, struct route *to)
{
    route_of(ref, rec->peer, rec->tag, to);
    if (to->reach == REACH_ANY || (to->reach == REACH_PROCESS && to->tag < 0))
        to->reach = REACH_NONE;
}

static void route_from(const struct comm_ref *ref, int32_t peer, int32_t tag, struct route *from)
{
    route_of(ref, peer, tag, from);
    if (from->reach != REACH_UNKNOWN && tag < ORK_ANY_TAG)
        from->reach = REACH_NONE;
}

/* The receive is already posted. */
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

/* The send that is already posted for a receive; NULL: the receive has to wait. */
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
    th->proc->d->counts.choices += from->is_choice;
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

/* May a program rely on the buffering of a message of this size? */
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

/* The send goes to MPI_PROC_NULL: perhaps its rank should have been another one. */
static void note_null_send(struct mpi_thread *th, const struct ork_record *rec,
                           const struct comm *on)
{
    struct proc *p = th->proc;
    struct amount sent = amount_sent(rec);

    if (rec->peer != ORK_PROC_NULL || on == NULL)
        return;
    p->null_send[p->num_null_sends++ % PROC_NULL_SENDS] =
        (struct null_send){.term = {.rank = p->rank,
                                    .index = UINT32_MAX,
                                    .call = rec->call,
                                    .kind = ORK_KIND_SEND,
                                    .site = rec->site,
                                    .comm = on->id,
                                    .peer = rec->peer,
                                    .tag = rec->tag},
                           .seq = p->d->seq,
                           .bytes = sent.bytes,
                           .type = sent.type};
}

void ork_p2p_start_send(struct mpi_thread *th, const struct ork_record *rec,
                        const struct comm_ref *on)
{
    struct ork_detector *d = th->proc->d;
    struct op *op = NULL;
    struct route to;

    route_to(on, rec, &to);
    if (to.reach == REACH_PROCESS && !send_at_once(th, rec, &to))
        op = d->failed ? NULL : ork_match_post_send(th, &to.queue_ref, rec);
    else if (to.reach == REACH_NONE)
        note_null_send(th, rec, to.comm);
    bool buffered = op != NULL && is_buffered(d, rec);
    ork_p2p_give_to_request(th, rec, buffered ? NULL : op);
    if (buffered && fills_buffer(d, rec))
        ork_buffer_add(th->proc, op);
    if (op != NULL)
        resolve_send(op, d->proc[to.process]);
}

void ork_p2p_start_recv(struct mpi_thread *th, const struct ork_record *rec,
                        const struct comm_ref *on)
{
    struct route from;

    route_from(on, rec->peer, rec->tag, &from);
    bool posts = from.reach == REACH_PROCESS || from.reach == REACH_ANY;
    struct op *send = posts ? find_send(th, &from) : NULL;
    struct op *op = posts && send == NULL ? post_recv(th, rec, &from) : NULL;
    struct request *request = ork_p2p_give_to_request(th, rec, op);

    if (send != NULL)
        ork_match_receive(th, send, request, rec);
    else if (op != NULL)
        ork_match_resolve(th->proc->d, op);
}

struct request *ork_p2p_make_persistent(struct mpi_thread *th, const struct ork_record *rec)
{
    struct request *r = ork_request_new(th, rec);

    if (r != NULL)
        r->persistent = true;
    return r;
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
        ork_match_receive(th, send, NULL, rec);
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
        ork_p2p_make_persistent(th, rec);
        return;
    }
    if (rec->flags & ORK_F_NONBLOCKING) {
        ork_p2p_start_send(th, rec, ork_comm_ref(th->proc, rec->comm));
        return;
    }
    struct route to;
    route_to(ork_comm_ref(th->proc, rec->comm), rec, &to);
    if (to.reach == REACH_UNKNOWN)
        th->unknown = true;
    else if (to.reach == REACH_NONE)
        note_null_send(th, rec, to.comm);
    else if (!send_at_once(th, rec, &to))
        hold_send(th, rec, &to);
}

static void enter_recv(struct mpi_thread *th)
{
    const struct ork_record *rec = &th->call;

    if (rec->flags & ORK_F_PERSISTENT) {
        ork_p2p_make_persistent(th, rec);
        return;
    }
    if (rec->flags & ORK_F_NONBLOCKING) {
        ork_p2p_start_recv(th, rec, ork_comm_ref(th->proc, rec->comm));
        return;
    }
    struct route from;
    route_from(ork_comm_ref(th->proc, rec->comm), rec->peer, rec->tag, &from);
    if (from.reach == REACH_UNKNOWN)
        th->unknown = true;
    else if (from.reach != REACH_NONE)
        hold_recv(th, rec, &from);
}

static void enter_sendrecv(struct mpi_thread *th)
{
    const struct ork_record *rec = &th->call;
    const struct comm_ref *ref = ork_comm_ref(th->proc, rec->comm);
    struct route to, from;

    route_to(ref, rec, &to);
    route_from(ref, rec->peer2, rec->tag2, &from);
    if (to.reach == REACH_UNKNOWN || from.reach == REACH_UNKNOWN) {
        th->unknown = true;
        return;
    }
    if (to.reach == REACH_NONE)
        note_null_send(th, rec, to.comm);
    else if (!send_at_once(th, rec, &to))
        hold_send(th, rec, &to);
    if (from.reach != REACH_NONE)
        hold_recv(th, rec, &from);
}

static void enter_detach(struct mpi_thread *th)
{
    th->open = th->proc->buffered != NULL;
}

/* ---- what the run shows ---- */

static void observe_recv(struct mpi_thread *th)
{
    struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);
    uint32_t src;

    if (th->recv == NULL || ref == NULL || !ork_comm_peer(ref, th->found_source, &src) ||
        th->found_tag < 0)
        return;
    if (th->recv->q->src == ORK_ANY_SOURCE || th->recv->q->tag == ORK_ANY_TAG)
        ork_match_observe(th->proc->d, th->recv, (int32_t)src, th->found_tag);
}

static void confirm_recv(struct mpi_thread *th)
{
    if (th->recv != NULL)
        ork_match_confirm(th->proc->d, th->recv);
}

static bool relax_send(struct mpi_thread *th)
{
    if (th->send == NULL)
        return false;
    ork_match_detach(th->send);
    th->send = NULL;
    th->open--;
    return true;
}

static bool relax_detach(struct mpi_thread *th)
{
    bool any = th->open > 0;

    th->open = 0;
    return any;
}

static bool release_recv(struct mpi_thread *th)
{
    if (th->recv == NULL)
        return false;
    ork_match_leave_unconfirmed(th->recv);
    th->recv = NULL;
    th->open--;
    return true;
}

/* ---- errors ---- */

bool ork_p2p_withdraw_buffered(struct mpi_thread *th, const struct ork_record *rec,
                               const struct comm_ref *on)
{
    struct ork_detector *d = th->proc->d;
    struct route to;

    route_to(on, rec, &to);
    if (to.reach != REACH_PROCESS || !is_buffered(d, rec))
        return false;
    struct op *op = ork_match_latest_send(d, to.comm, th->proc->rank, to.process, to.tag);
    if (op == NULL || op->thread != th || op->call != rec->call || op->site != rec->site ||
        (op->owner != OWNER_NONE && op->owner != OWNER_BUFFER))
        return false;
    ork_op_notify_owner(op);
    ork_match_withdraw(d, op);
    return true;
}

static void fail_send(struct mpi_thread *th)
{
    struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);
    uint32_t dst;

    if (th->send != NULL)
        ork_match_withdraw(th->proc->d, th->send);
    else if (ork_p2p_withdraw_buffered(th, &th->call, ref))
        return;
    else if (ref != NULL && th->call.tag >= 0 && ork_comm_peer(ref, th->call.peer, &dst))
        th->proc->d->proc[dst]->state_lost = true;
}

static void fail_recv(struct mpi_thread *th, int32_t source, int32_t tag)
{
    if (th->recv != NULL)
        ork_match_withdraw(th->proc->d, th->recv);
    else if (source != ORK_PROC_NULL && tag >= ORK_ANY_TAG)
        th->proc->state_lost = true;
}

/* The message was longer than the receive, but the receive takes it. */
static void truncate(struct mpi_thread *th)
{
    if (th->send != NULL)
        ork_match_detach(th->send);
    if (th->recv != NULL)
        th->recv->returned = th->recv->truncated = true;
    observe_recv(th);
    if (th->recv != NULL)
        ork_match_detach(th->recv);
}

static void fail_message(struct mpi_thread *th, const struct ork_record *exit)
{
    const struct ork_record *rec = &th->call;
    bool is_truncated = (exit->flags & ORK_F_MATCHED) != 0;

    if (th->unknown || (rec->flags & (ORK_F_NONBLOCKING | ORK_F_PERSISTENT)))
        return;
    if (is_truncated) {
        truncate(th);
        ork_types_returned(th->proc);
    } else {
        ork_types_doubt(th->proc, rec->site);
    }
    if (!is_truncated && rec->kind != ORK_KIND_RECV)
        fail_send(th);
    if (!is_truncated && rec->kind == ORK_KIND_RECV)
        fail_recv(th, rec->peer, rec->tag);
    if (!is_truncated && rec->kind == ORK_KIND_SENDRECV)
        fail_recv(th, rec->peer2, rec->tag2);
    th->recv = th->send = NULL;
}

/* ---- wait-for conditions ---- */

static bool send_condition(struct wait_graph_builder *b, struct mpi_thread *th)
{
    return ork_graph_emit_op(b, th->send, 0);
}

static bool recv_condition(struct wait_graph_builder *b, struct mpi_thread *th)
{
    return ork_graph_emit_op(b, th->recv, 0);
}

static bool sendrecv_condition(struct wait_graph_builder *b, struct mpi_thread *th)
{
    const struct ork_record *call = &th->call;
    const struct comm_ref *ref = ork_comm_ref(th->proc, call->comm);
    struct ork_term send = {.rank = th->proc->rank,
                            .index = UINT32_MAX,
                            .call = call->call,
                            .kind = ORK_KIND_SEND,
                            .comm = ref != NULL ? ref->comm->id : ORK_COMM_UNKNOWN,
                            .site = call->site,
                            .peer = call->peer,
                            .tag = call->tag};
    struct ork_term recv = send;
    bool open;

    recv.kind = ORK_KIND_RECV;
    recv.peer = call->peer2;
    recv.tag = call->tag2;
    ork_graph_emit_open(b, ORK_WFG_AND, 0);
    open = ork_graph_emit_op(b, th->send, ork_graph_add_term(b, &send));
    open |= ork_graph_emit_op(b, th->recv, ork_graph_add_term(b, &recv));
    ork_graph_emit_close(b);
    return open;
}

/* Every message that is still in the buffer must be matched first (MPI-3.1 section 3.6). */
static bool detach_condition(struct wait_graph_builder *b, struct mpi_thread *th)
{
    bool open = false;

    if (b->permissive)
        return ork_graph_emit_true(b);
    ork_graph_emit_open(b, ORK_WFG_AND, 0);
    for (struct op *op = th->proc->buffered; op != NULL; op = op->owner_next)
        open |= ork_graph_emit_op(b, op, 0);
    ork_graph_emit_close(b);
    return open;
}

/* ---- steps ---- */

static bool keep(struct reader *r, const struct ork_record *rec, struct comm_ref ref)
{
    struct request_slot *s = ork_program_request(r, rec->request, true);

    if (s == NULL)
        return false;
    *s = (struct request_slot){.persistent = true, .call = *rec, .me = ref.me};
    s->call.comm = ref.comm->id;
    return true;
}

static bool read_message(struct reader *r)
{
    const struct ork_record *rec = &r->rec;
    bool both = rec->kind == ORK_KIND_SENDRECV;
    struct ork_interleave_part part[2];
    struct ork_interleave_op op;
    struct comm_ref ref;
    uint32_t parts = 0;

    if (!ork_program_comm(r, rec, &ref))
        return false;
    if (rec->flags & ORK_F_PERSISTENT)
        return keep(r, rec, ref);
    if (rec->flags & ORK_F_NONBLOCKING) {
        if (rec->request == ORK_REQUEST_SHARED)
            return ork_program_start_shared(r, rec, ref);
        struct request_slot *s = ork_program_request(r, rec->request, true);
        if (s == NULL)
            return ork_program_make_op(r, rec, ref, rec->kind == ORK_KIND_SEND, &op) ==
                   MADE_NOTHING;
        *s = (struct request_slot){0};
        return ork_program_start(r, rec->request, rec, ref);
    }
    for (unsigned half = 0; half < 2; half++) {
        bool is_send = half == 0;
        if (!both && is_send != (rec->kind == ORK_KIND_SEND))
            continue;
        enum made made = ork_program_make_op(r, rec, ref, is_send, &op);
        if (made == UNKNOWN)
            return false;
        if (made == MADE_OP && r->has_exit)
            ork_program_take(r, &op, r->exit.peer, r->exit.tag, rec);
        if (made == MADE_OP)
            part[parts++] = (struct ork_interleave_part){
                .is_whole = !both, .number = ork_interleave_post(r->o->program, &op)};
    }
    ork_program_await(r, ORK_INTERLEAVE_ALL, part, parts, 0);
    return true;
}

/* RATIONALE: is_complete and leave are NULL. Most calls are of these types, and advance() in
 * progress.c relies on it. */
const struct call_type ork_call_type_send = {
    .enter = enter_send,
    .on_error = fail_message,
    .relax = relax_send,
    .wait_condition = send_condition,
    .to_steps = read_message,
};

const struct call_type ork_call_type_recv = {
    .enter = enter_recv,
    .on_exit = observe_recv,
    .on_error = fail_message,
    .confirm = confirm_recv,
    .release_completed = release_recv,
    .wait_condition = recv_condition,
    .to_steps = read_message,
};

const struct call_type ork_call_type_sendrecv = {
    .enter = enter_sendrecv,
    .on_exit = observe_recv,
    .on_error = fail_message,
    .confirm = confirm_recv,
    .relax = relax_send,
    .release_completed = release_recv,
    .wait_condition = sendrecv_condition,
    .to_steps = read_message,
};

const struct call_type ork_call_type_buffer_detach = {
    .enter = enter_detach,
    .relax = relax_detach,
    .wait_condition = detach_condition,
};
