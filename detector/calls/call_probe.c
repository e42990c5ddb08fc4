/* SPDX-License-Identifier: BSD-3-Clause */
/* Probes, and the messages that matched probes take (MPI-3.1 section 3.8). */
#include "detector/calls/call_parts.h"
#include "detector/calls/request.h"
#include "detector/check/knowledge.h"

/* Messages of matched probes are numbered densely: a number far beyond all others is none. */
enum { MESSAGES_AHEAD = 1 << 16 };

void ork_call_take_message(struct strand *st, uint32_t message, int32_t source, int32_t tag)
{
    struct proc *p = st->proc;
    struct comm_ref *ref = ork_comm_ref(p, st->call.comm);
    uint32_t src;

    if (message >= p->num_messages + MESSAGES_AHEAD || message >= ORK_REQUEST_SHARED ||
        ref == NULL || !ork_comm_peer(ref, source, &src) || tag < 0)
        return;
    if (!ork_grow(p->d, &p->message, &p->num_messages, message + 1, sizeof(struct op *)))
        return;
    struct spot spot;
    struct op *op = ork_match_look(p->d, ref->comm, src, p->rank, tag, &spot)
                        ? ork_match_post_recv(st, &spot, &st->call)
                        : NULL;
    if (op == NULL)
        return;
    p->message[message] = op;
    ork_match_extract(p->d, op);
}

void ork_call_enter_probed(struct strand *st)
{
    const struct ork_record *rec = &st->call;
    struct comm_ref *ref = ork_comm_ref(st->proc, rec->comm);
    uint32_t source;

    if (ref != NULL && ork_comm_peer(ref, rec->peer2, &source)) {
        enum presence found =
            ork_match_probe(st->proc->d, ref->comm, st->proc->rank, (int32_t)source, rec->tag2);
        ork_knowledge_found(st->proc, ref->comm, source, rec->tag2, found == PRESENCE_SURE);
    }
    if (rec->flags & ORK_F_MATCHED)
        ork_call_take_message(st, rec->request, rec->peer2, rec->tag2);
}

void ork_call_enter_mrecv(struct strand *st)
{
    const struct ork_record *rec = &st->call;
    struct proc *p = st->proc;
    struct op *op = rec->arg < p->num_messages ? p->message[rec->arg] : NULL;

    if (rec->flags & ORK_F_NONBLOCKING)
        ork_request_give(st, rec, NULL);
    if (op == NULL)
        return;
    p->message[rec->arg] = NULL;
    ork_match_release_extracted(p->d, op);
}

void ork_call_enter_probe(struct strand *st)
{
    struct route from;

    ork_route_of(st, st->call.comm, st->call.peer, st->call.tag, &from);
    st->unknown = from.reach == REACH_UNKNOWN;
    st->proc->probing++;
}

bool ork_call_probe_is_over(struct strand *st)
{
    const struct ork_record *rec = &st->call;
    struct comm_ref *ref = ork_comm_ref(st->proc, rec->comm);
    struct ork_detector *d = st->proc->d;
    uint32_t src;

    if (st->unknown)
        return ork_strand_has_moved(st);
    if (rec->peer == ORK_PROC_NULL)
        return true;
    bool told = st->exited && ork_comm_peer(ref, st->found_source, &src);
    bool moved = !told && ork_strand_has_moved(st) && rec->tag != ORK_ANY_TAG &&
                 !(rec->flags & ORK_F_MATCHED) && ork_comm_peer(ref, rec->peer, &src);
    if (told || moved) {
        enum presence found = ork_match_probe(d, ref->comm, st->proc->rank, (int32_t)src,
                                              told ? st->found_tag : rec->tag);
        /* a pending receive may have taken the message before: then it was another one */
        st->proc->qualified |= found == PRESENCE_MAYBE && !(rec->flags & ORK_F_MATCHED);
        return found != PRESENCE_NONE;
    }
    if (rec->peer == ORK_ANY_SOURCE || (rec->flags & ORK_F_MATCHED) ||
        !ork_comm_peer(ref, rec->peer, &src))
        return false;
    return ork_match_probe(d, ref->comm, st->proc->rank, (int32_t)src, rec->tag) == PRESENCE_SURE;
}
