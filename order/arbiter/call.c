/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls: what they post when they are entered. */
#include "order/arbiter/internal.h"

#include <stdlib.h>

static void tick(struct rank *p)
{
    p->clock = ork_times_after(p->clock, 1);
    p->arbiter->bound_is_old = true;
}

static void send(struct rank *p, uint32_t comm, int32_t peer, int32_t tag)
{
    struct ork_comm_ref ref = ork_arbiter_comm_ref(p, comm);
    uint32_t to;

    if (peer == ORK_PROC_NULL)
        return;
    tick(p);
    if (ref.comm == NULL || tag < 0 || !ork_comms_peer(ref, peer, &to))
        return;
    struct mailbox *box = ork_arbiter_mailbox_of(p->arbiter, (struct ork_comm_ref){ref.comm, to});
    if (box != NULL)
        ork_arbiter_match_send(p->arbiter, box, ref.me, tag, p->clock);
}

/* NULL: nothing is posted, or it is not followed. */
static struct receive *receive(struct rank *p, uint32_t comm, int32_t peer, int32_t tag)
{
    struct ork_comm_ref ref = ork_arbiter_comm_ref(p, comm);
    bool any = peer == ORK_ANY_SOURCE;
    uint32_t from = UINT32_MAX;

    if (ref.comm == NULL)
        return NULL;
    p->wildcards += any;
    if (tag < ORK_ANY_TAG || (!any && !ork_comms_peer(ref, peer, &from)))
        return NULL;
    struct mailbox *box = ork_arbiter_mailbox_of(p->arbiter, ref);
    struct receive *r = box == NULL ? NULL : ork_arbiter_match_post(p->arbiter, box, from, tag);
    if (r != NULL)
        r->comm = comm;
    if (r != NULL && any) {
        r->number = p->wildcards;
        p->undecided++;
    }
    return r;
}

static void make_request(struct rank *p, const struct ork_record *call, struct receive *r)
{
    struct request *request = ork_arbiter_rank_new_request(p, call->request);

    if (request == NULL) {
        ork_arbiter_match_release(r);
        return;
    }
    request->receive = r;
    request->active = true;
}

static void make_persistent(struct rank *p, const struct ork_record *call)
{
    struct request *request = ork_arbiter_rank_new_request(p, call->request);

    if (request == NULL)
        return;
    request->made = malloc(sizeof(*request->made));
    if (request->made == NULL)
        p->arbiter->failed = true;
    else
        *request->made = *call;
}

static void enter_message(struct rank *p)
{
    const struct ork_record *call = &p->call;
    struct receive *r = NULL;

    if (call->kind != ORK_KIND_SENDRECV && (call->flags & ORK_F_PERSISTENT)) {
        make_persistent(p, call);
        return;
    }
    if (call->kind != ORK_KIND_RECV)
        send(p, call->comm, call->peer, call->tag);
    if (call->kind == ORK_KIND_RECV)
        r = receive(p, call->comm, call->peer, call->tag);
    else if (call->kind == ORK_KIND_SENDRECV)
        r = receive(p, call->comm, call->peer2, call->tag2);
    if (call->kind != ORK_KIND_SENDRECV && (call->flags & ORK_F_NONBLOCKING))
        make_request(p, call, r);
    else
        p->receive = r;
}

static void enter_start(struct rank *p)
{
    for (uint32_t i = 0; i < p->call.count; i++) {
        struct request *r = ork_arbiter_rank_request(p, p->list[i]);
        if (r == NULL || r->made == NULL)
            continue;
        ork_arbiter_match_release(r->receive);
        r->receive = NULL;
        r->active = true;
        if (r->made->kind == ORK_KIND_SEND)
            send(p, r->made->comm, r->made->peer, r->made->tag);
        else if (r->made->kind == ORK_KIND_RECV)
            r->receive = receive(p, r->made->comm, r->made->peer, r->made->tag);
    }
}

static void enter_coll(struct rank *p)
{
    const struct ork_record *call = &p->call;
    struct ork_comm_ref ref = ork_arbiter_comm_ref(p, call->comm);

    if (call->mode == ORK_COLL_NONE || call->mode >= ORK_COLL_MAX) {
        ork_arbiter_rank_lose(p);
        return;
    }
    if (call->flags & ORK_F_PERSISTENT)
        make_persistent(p, call);
    else if (call->flags & ORK_F_NONBLOCKING)
        make_request(p, call, NULL);
    if (ref.comm == NULL || call->mode == ORK_COLL_COMM_CREATE_GROUP)
        return;
    if (ork_comms_has_root(ref.comm, call)) /* else the call fails */
        ork_arbiter_wave_arrive(p, ref);
}

void ork_arbiter_call_enter(struct rank *p)
{
    struct request *r;

    p->arbiter->bound_is_old = true;
    switch (p->call.kind) {
    case ORK_KIND_SEND:
    case ORK_KIND_RECV:
    case ORK_KIND_SENDRECV:
        enter_message(p);
        break;
    case ORK_KIND_MRECV:
    case ORK_KIND_ACCESS:
    case ORK_KIND_FILE_ACCESS:
        if (p->call.flags & ORK_F_NONBLOCKING)
            make_request(p, &p->call, NULL);
        break;
    case ORK_KIND_START:
        enter_start(p);
        break;
    case ORK_KIND_CANCEL:
        r = ork_arbiter_rank_request(p, p->call.request);
        if (r != NULL && r->receive != NULL)
            r->receive->cancelling = true;
        break;
    case ORK_KIND_REQUEST_FREE:
        r = ork_arbiter_rank_request(p, p->call.request);
        if (r != NULL)
            ork_arbiter_request_free(r);
        break;
    case ORK_KIND_COLL:
        enter_coll(p);
        break;
    case ORK_KIND_WIN_UNLOCK:
        ork_arbiter_lock_end(p);
        break;
    case ORK_KIND_FINALIZE:
        p->arbiter->finalized++;
        break;
    default:
        break;
    }
}
