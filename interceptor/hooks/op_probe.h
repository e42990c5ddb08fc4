/* SPDX-License-Identifier: BSD-3-Clause */
/* Probes, and the receives of messages that they have matched: MPI-3.1 section 3.8. */
#ifndef ORK_OP_PROBE_H
#define ORK_OP_PROBE_H

#include "interceptor/hooks/op_p2p.h"

/* -- probe -- */

ORK_INLINE void ork_before_probe(const struct ork_call *call, struct ork_args *a, unsigned flags)
{
    ork_observe_status(a);
    ork_lock();
    struct ork_record r =
        ORK_RECORD(call, PROBE, .flags = (uint8_t)flags, .comm = ork_comm_id(a->comm),
                   .request = ORK_REQUEST_NULL, .peer = ork_peer(a->peer), .tag = ork_tag(a->tag));
    ork_enter_blocking(&r);
    ork_unlock();
}

/* It has found no message. */
static inline void ork_probe_failed(const struct ork_call *call)
{
    ork_lock();
    ork_choice_probed(call, MPI_UNDEFINED, 0);
    ork_unlock();
}

/* Number the message of a matched probe. The lock is not held. */
static inline uint32_t ork_take_message(const struct ork_args *a)
{
    uint32_t id;

    ork_lock();
    id = ork_message_add(*a->message, ork_comm_id(a->comm));
    ork_unlock();
    return id;
}

/* Several threads probe and receive. */
static inline void ork_probe_concurrently(MPI_Comm comm, int source, int tag)
{
    ork_lock();
    ork_concurrency_probed(ork_comm_id(comm), source, tag);
    ork_unlock();
}

/* A call of an iteration: see loop_body.h. */
ORK_INLINE void ork_maker_probe(const struct ork_call *call, const struct ork_args *a,
                                unsigned flags, uint32_t message, int result)
{
    bool is_bound;

    if (ork_is_wildcard(a->peer, a->tag) || !ork_template_is_wanted(call, result, &is_bound))
        return;
    const struct ork_template template = {
        .peer = a->peer, .tag = a->tag, .comm = a->comm, .count2 = (int)message};
    if ((flags & ORK_F_MATCHED) != 0)
        ork_template_make_matched(call, &template, is_bound);
    else
        ork_template_make_p2p(call, &template, NULL, is_bound);
}

ORK_INLINE void ork_after_probe(const struct ork_call *call, struct ork_args *a, unsigned flags,
                                int result)
{
    bool wildcard = ork_is_wildcard(a->peer, a->tag);

    if (result != MPI_SUCCESS && wildcard)
        ork_probe_failed(call);
    if (result != MPI_SUCCESS) {
        ork_exit_plain(call, result);
        return;
    }
    /* The status of a probe without wildcards. */
    MPI_Status asked = {.MPI_SOURCE = a->peer, .MPI_TAG = a->tag};
    const MPI_Status *status = wildcard ? a->status : &asked;

    if (wildcard) {
        ork_lock();
        ork_choice_probed(call, status->MPI_SOURCE, status->MPI_TAG);
        ork_unlock();
    }
    if (ork_is_concurrent() && (flags & ORK_F_MATCHED) == 0)
        ork_probe_concurrently(a->comm, status->MPI_SOURCE, status->MPI_TAG);
    const uint32_t message =
        (flags & ORK_F_MATCHED) != 0 ? ork_take_message(a) : (uint32_t)ORK_REQUEST_NULL;
    if ((flags & ORK_F_MATCHED) != 0 || wildcard)
        ork_exit_status(call, status, message, wildcard ? ork_thread.choices : 0, result);
    else
        ork_exit_plain(call, result);
    ork_maker_probe(call, a, flags, message, result);
}

/* -- iprobe -- */

/* As ork_comm_id(), without the lock. RATIONALE: otherwise polling threads would block each other.
 * A thread that uses a communicator has seen it made, and so its version; until the version
 * changes, its handle has the same meaning. */
ORK_INLINE uint32_t ork_probed_comm(MPI_Comm comm)
{
    struct ork_thread *t = &ork_thread;
    uint32_t version = atomic_load_explicit(&ork_comms_version, memory_order_relaxed);

    if (ORK_UNLIKELY(t->probed_comm != ORK_KEY(comm) || t->probed_version != version)) {
        ork_lock();
        t->probed_id = ork_comm_id(comm);
        ork_unlock();
        t->probed_comm = ORK_KEY(comm);
        t->probed_version = version;
    }
    return t->probed_id;
}

ORK_INLINE void ork_before_iprobe(struct ork_args *a)
{
    ork_poll_begin();
    ork_observe_status(a);
}

ORK_INLINE void ork_probe_unsuccessful(const struct ork_call *call, const struct ork_args *a,
                                       unsigned flags)
{
    const struct ork_polled polled = {.site = call->site,
                                      .call = call->id,
                                      .peer = ork_peer(a->peer),
                                      .tag = ork_tag(a->tag),
                                      .comm = ork_probed_comm(a->comm)};

    if (ORK_UNLIKELY(ork_is_explored))
        ork_poll_failed_probe(&polled, flags);
    ork_poll(&polled);
    ork_poll_was_probe();
}

/* Source and tag of the message that a probe has found. */
ORK_INLINE int32_t ork_source_probed(const struct ork_args *a)
{
    return ork_peer(ork_is_wildcard(a->peer, a->tag) ? a->status->MPI_SOURCE : a->peer);
}

ORK_INLINE int32_t ork_tag_probed(const struct ork_args *a)
{
    return ork_tag(ork_is_wildcard(a->peer, a->tag) ? a->status->MPI_TAG : a->tag);
}

/* Without the message and the choice. */
ORK_INLINE struct ork_record ork_record_probed(const struct ork_call *call,
                                               const struct ork_args *a, unsigned flags)
{
    return ORK_RECORD(call, PROBED, .flags = (uint8_t)flags, .comm = ork_comm_id(a->comm),
                      .request = ORK_REQUEST_NULL, .peer = ork_peer(a->peer),
                      .tag = ork_tag(a->tag), .peer2 = ork_source_probed(a),
                      .tag2 = ork_tag_probed(a));
}

/* A call of an iteration: see loop_body.h. */
ORK_INLINE void ork_maker_iprobe(const struct ork_call *call, const struct ork_args *a,
                                 const struct ork_record *record)
{
    bool is_bound;

    if (!ork_template_is_wanted(call, MPI_SUCCESS, &is_bound))
        return;
    const struct ork_template template = {.peer = a->peer,
                                          .tag = a->tag,
                                          .comm = a->comm,
                                          .count2 = (int)record->request,
                                          .source = record->peer2,
                                          .with = record->tag2};
    ork_template_make_probe(call, &template, is_bound);
}

ORK_INLINE void ork_after_iprobe(const struct ork_call *call, struct ork_args *a, unsigned flags,
                                 int result)
{
    if (ORK_LIKELY(result == MPI_SUCCESS) && !*a->flag) {
        ork_probe_unsuccessful(call, a, flags);
        return;
    }
    ork_loop_body_polled();
    if (ORK_UNLIKELY(result != MPI_SUCCESS)) {
        ork_probe_failed(call);
        return;
    }
    ork_lock();
    struct ork_record r = ork_record_probed(call, a, flags);
    if ((flags & ORK_F_MATCHED) != 0)
        r.request = ork_message_add(*a->message, r.comm);
    if (ork_is_concurrent() && (flags & ORK_F_MATCHED) == 0)
        ork_concurrency_probed(r.comm, r.peer2, r.tag2);
    ork_choice_probed(call, r.peer2, r.tag2);
    r.extra = ork_choice_name(ork_thread.choices);
    ork_send_record(&r);
    ork_unlock();
    ork_maker_iprobe(call, a, &r);
}

/* -- mrecv: the call invalidates the message handle -- */

/* None for MPI_MESSAGE_NO_PROC. */
ORK_INLINE struct ork_buffer ork_buffer_matched(const struct ork_args *a)
{
    return (struct ork_buffer){.use = ORK_BUFFER_WRITTEN,
                               .address = a->id == ORK_REQUEST_NULL ? NULL : a->recvbuf,
                               .count = a->count,
                               .type = a->datatype};
}

ORK_INLINE void ork_before_mrecv(const struct ork_call *call, struct ork_args *a, unsigned flags)
{
    struct ork_amount room = ork_amount(a->count, a->datatype);

    ork_lock();
    struct ork_record r =
        ORK_RECORD(call, MRECV, .flags = (uint8_t)flags, .request = ORK_REQUEST_NULL,
                   .peer = ORK_NO_PEER, .arg2 = room.type, .bytes = room.bytes);
    r.arg = ork_message_take(a->message != NULL ? *a->message : MPI_MESSAGE_NULL, &r.comm);
    a->id = r.arg;
    a->parent = r.comm;
    if ((flags & ORK_F_LOCAL) == 0) {
        struct ork_buffer buffer = ork_buffer_matched(a);
        ork_buffers_look(call, &buffer);
        ork_enter_blocking(&r);
    }
    ork_unlock();
    if ((flags & ORK_F_LOCAL) == 0)
        ork_windows_observe(&a->status, &a->own);
}

/* A call of an iteration: see loop_body.h. */
ORK_INLINE void ork_maker_mrecv(const struct ork_call *call, const struct ork_args *a,
                                unsigned flags, int result)
{
    bool is_bound;

    if (a->id >= ORK_REQUEST_SHARED || !ork_template_is_wanted(call, result, &is_bound))
        return;
    const struct ork_buffer buffer = ork_buffer_matched(a);
    if (ork_windows_have(&buffer))
        return;
    const struct ork_template template = {.recvbuf = a->recvbuf,
                                          .count = a->count,
                                          .datatype = a->datatype,
                                          .count2 = (int)a->id,
                                          .tag2 = (int)a->parent,
                                          .receives = true};
    ork_template_make_p2p(call, &template, (flags & ORK_F_LOCAL) != 0 ? a->request : NULL,
                          is_bound);
}

ORK_INLINE void ork_after_mrecv(const struct ork_call *call, struct ork_args *a, unsigned flags,
                                int result)
{
    if ((flags & ORK_F_LOCAL) == 0) {
        ork_exit_plain(call, result);
        struct ork_buffer received = ork_buffer_matched(a);
        ork_windows_look_received(call, &received, a->status, result);
        ork_maker_mrecv(call, a, flags, result);
        return;
    }
    struct ork_amount room = ork_amount(a->count, a->datatype);
    ork_lock();
    struct ork_record r =
        ORK_RECORD(call, MRECV, .flags = (uint8_t)flags, .comm = a->parent, .peer = ORK_NO_PEER,
                   .arg = a->id, .arg2 = room.type, .bytes = room.bytes);
    ork_start(call, &r, a->request, ORK_R_RECEIVE, result);
    struct ork_buffer buffer = ork_buffer_matched(a);
    ork_buffer_started(call, r.request, flags, &buffer, result);
    ork_unlock();
    ork_maker_mrecv(call, a, flags, result);
}

#endif
