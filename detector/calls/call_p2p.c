/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends and receives: what they post, and whether they complete when they start. */
#include "detector/calls/call_parts.h"
#include "detector/calls/request.h"

/* ---- posting ---- */

void ork_route_of(struct strand *st, uint32_t comm, int32_t peer, int32_t tag, struct route *to)
{
    const struct comm_ref *ref = ork_comm_ref(st->proc, comm);

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

static void route_to(struct strand *st, const struct ork_record *rec, struct route *to)
{
    ork_route_of(st, rec->comm, rec->peer, rec->tag, to);
    if (to->reach == REACH_ANY || (to->reach == REACH_PROCESS && to->tag < 0))
        to->reach = REACH_NOBODY;
}

static void route_from(struct strand *st, const struct ork_record *rec, int32_t peer, int32_t tag,
                       struct route *from)
{
    ork_route_of(st, rec->comm, peer, tag, from);
    if (from->reach != REACH_UNKNOWN && tag < ORK_ANY_TAG)
        from->reach = REACH_NOBODY;
}

/* The receive was there. */
static bool send_at_once(struct strand *st, const struct ork_record *rec, struct route *to)
{
    struct op *r =
        ork_match_look(st->proc->d, to->comm, st->proc->rank, to->process, to->tag, &to->spot)
            ? ork_match_receiver(&to->spot)
            : NULL;

    if (r == NULL || rec->mode == ORK_SEND_READY)
        return false;
    ork_match_send(st, r, rec);
    return true;
}

/* The send that is there for a receive; NULL: it has to wait. */
static inline struct op *find_send(struct strand *st, struct route *from)
{
    return from->reach == REACH_PROCESS && from->tag != ORK_ANY_TAG &&
                   ork_match_look(st->proc->d, from->comm, from->process, st->proc->rank, from->tag,
                                  &from->spot)
               ? ork_match_sender(&from->spot)
               : NULL;
}

/* After find_send(). NULL: out of memory. */
static struct op *post_recv(struct strand *st, const struct ork_record *rec, struct route *from)
{
    if (st->proc->d->failed)
        return NULL;
    if (from->reach == REACH_PROCESS && from->tag != ORK_ANY_TAG)
        return ork_match_post_recv(st, &from->spot, rec);
    return ork_match_post_any(st, from->comm,
                              from->reach == REACH_ANY ? ORK_ANY_SOURCE : (int32_t)from->process,
                              from->tag, rec);
}

static void wake_probes(struct proc *p)
{
    for (uint32_t i = 0; p->probing > 0 && i < p->num_strands; i++) {
        if (p->strand[i]->held && p->strand[i]->call.kind == ORK_KIND_PROBE)
            ork_strand_wake(p->strand[i]);
    }
}

static void resolve_send(struct op *op, struct proc *to)
{
    ork_match_resolve(to->d, op);
    if (to->probing > 0)
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

void ork_call_start_send(struct strand *st, const struct ork_record *rec)
{
    struct ork_detector *d = st->proc->d;
    struct op *op = NULL;
    struct route to;

    route_to(st, rec, &to);
    if (to.reach == REACH_PROCESS && !send_at_once(st, rec, &to))
        op = d->failed ? NULL : ork_match_post_send(st, &to.spot, rec);
    bool buffered = op != NULL && is_buffered(d, rec);
    ork_request_give(st, rec, buffered ? NULL : op);
    if (buffered && fills_buffer(d, rec))
        ork_buffer_add(st->proc, op);
    if (op != NULL)
        resolve_send(op, d->proc[to.process]);
}

void ork_call_start_recv(struct strand *st, const struct ork_record *rec)
{
    struct route from;

    route_from(st, rec, rec->peer, rec->tag, &from);
    bool posts = from.reach == REACH_PROCESS || from.reach == REACH_ANY;
    struct op *send = posts ? find_send(st, &from) : NULL;
    struct op *op = posts && send == NULL ? post_recv(st, rec, &from) : NULL;
    struct request *request = ork_request_give(st, rec, op);

    if (send != NULL)
        ork_match_receive(st, send, request);
    else if (op != NULL)
        ork_match_resolve(st->proc->d, op);
}

/* ---- entering ---- */

static void hold_send(struct strand *st, const struct ork_record *rec, struct route *to)
{
    struct ork_detector *d = st->proc->d;
    struct op *op = d->failed ? NULL : ork_match_post_send(st, &to->spot, rec);

    if (op == NULL)
        return;
    if (!is_buffered(d, rec)) {
        op->owner = OWNER_STRAND;
        st->send = op;
        st->open++;
    } else if (fills_buffer(d, rec)) {
        ork_buffer_add(st->proc, op);
    }
    resolve_send(op, d->proc[to->process]);
}

static void hold_recv(struct strand *st, const struct ork_record *rec, struct route *from)
{
    struct op *send = find_send(st, from);

    if (send != NULL) {
        ork_match_receive(st, send, NULL);
        return;
    }
    struct op *op = post_recv(st, rec, from);
    if (op == NULL)
        return;
    op->owner = OWNER_STRAND;
    st->recv = op;
    st->open++;
    ork_match_resolve(st->proc->d, op);
}

void ork_call_enter_send(struct strand *st)
{
    const struct ork_record *rec = &st->call;

    if (rec->flags & ORK_F_PERSISTENT) {
        ork_request_make_persistent(st, rec);
        return;
    }
    if (rec->flags & ORK_F_NONBLOCKING) {
        ork_call_start_send(st, rec);
        return;
    }
    struct route to;
    route_to(st, rec, &to);
    if (to.reach == REACH_UNKNOWN)
        st->unknown = true;
    else if (to.reach == REACH_PROCESS && !send_at_once(st, rec, &to))
        hold_send(st, rec, &to);
}

void ork_call_enter_recv(struct strand *st)
{
    const struct ork_record *rec = &st->call;

    if (rec->flags & ORK_F_PERSISTENT) {
        ork_request_make_persistent(st, rec);
        return;
    }
    if (rec->flags & ORK_F_NONBLOCKING) {
        ork_call_start_recv(st, rec);
        return;
    }
    struct route from;
    route_from(st, rec, rec->peer, rec->tag, &from);
    if (from.reach == REACH_UNKNOWN)
        st->unknown = true;
    else if (from.reach != REACH_NOBODY)
        hold_recv(st, rec, &from);
}

void ork_call_enter_sendrecv(struct strand *st)
{
    const struct ork_record *rec = &st->call;
    struct route to, from;

    route_to(st, rec, &to);
    route_from(st, rec, rec->peer2, rec->tag2, &from);
    if (to.reach == REACH_UNKNOWN || from.reach == REACH_UNKNOWN) {
        st->unknown = true;
        return;
    }
    if (to.reach == REACH_PROCESS && !send_at_once(st, rec, &to))
        hold_send(st, rec, &to);
    if (from.reach != REACH_NOBODY)
        hold_recv(st, rec, &from);
}
