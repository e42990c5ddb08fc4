/* SPDX-License-Identifier: BSD-3-Clause */
/* Point-to-point communication, MPI-3.1 chapter 3: sends and receives. */
#ifndef ORK_OP_P2P_H
#define ORK_OP_P2P_H

#include "interceptor/call/call.h"
#include "interceptor/outcomes/choice.h"
#include "interceptor/checks/concurrency.h"
#include "interceptor/forcing/poll_records.h"
#include "interceptor/forcing/posts.h"
#include "interceptor/forcing/told.h"
#include "interceptor/fastpath/template_maker.h"
#include "interceptor/outcomes/replay.h"
#include "interceptor/buffers/windows_buffers.h"

static inline bool ork_is_no_source_tag(int tag)
{
    return tag < 0 && tag != MPI_ANY_TAG;
}

static inline uint32_t ork_request_flags(const struct ork_args *a, unsigned flags)
{
    return (uint32_t)ORK_R_RECEIVE |
           ((flags & ORK_F_PERSISTENT) != 0 ? (uint32_t)ORK_R_PERSISTENT : 0u) |
           (ork_is_wildcard(a->peer, a->tag) ? (uint32_t)ORK_R_WILDCARD : 0u);
}

/* Use our own status if the application ignores it and it contains new information. */
static inline void ork_observe_status(struct ork_args *a)
{
    if (a->status == MPI_STATUS_IGNORE && ork_is_wildcard(a->peer, a->tag))
        a->status = &a->own;
}

/* The same for MPI_Sendrecv. */
static inline void ork_observe_exchanged(struct ork_args *a)
{
    if (a->status == MPI_STATUS_IGNORE && ork_is_wildcard(a->peer2, a->tag2))
        a->status = &a->own;
}

/* The buffers of an operation; none of one that communicates with MPI_PROC_NULL. */
ORK_INLINE struct ork_buffer ork_buffer_sent(const struct ork_args *a)
{
    return (struct ork_buffer){.use = ORK_BUFFER_READ,
                               .address = a->sendbuf,
                               .count = a->peer == MPI_PROC_NULL ? 0 : a->count,
                               .type = a->datatype};
}

ORK_INLINE struct ork_buffer ork_buffer_received(const struct ork_args *a)
{
    return (struct ork_buffer){.use = ORK_BUFFER_WRITTEN,
                               .address = a->recvbuf,
                               .count = a->peer == MPI_PROC_NULL ? 0 : a->count,
                               .type = a->datatype};
}

/* An operation with a request was started, or made if it is persistent. */
ORK_INLINE void ork_buffer_started(const struct ork_call *call, uint32_t request, unsigned flags,
                                   const struct ork_buffer *buffer, int result)
{
    struct ork_buffer_bytes bytes;

    if (ORK_UNLIKELY(result != MPI_SUCCESS))
        return;
    if ((flags & ORK_F_PERSISTENT) == 0)
        ork_buffers_start(call, request, buffer);
    else if (ork_buffers_are_on && ork_buffer_find(buffer, &bytes))
        ork_buffers_enter(call, request, &bytes, true);
}

/* -- send -- */

ORK_INLINE struct ork_record ork_record_send(const struct ork_call *call, const struct ork_args *a,
                                             unsigned mode, unsigned flags)
{
    struct ork_amount sent = ork_amount(a->count, a->datatype);

    return ORK_RECORD(call, SEND, .flags = (uint8_t)flags, .mode = (uint16_t)mode,
                      .comm = ork_comm_id(a->comm), .request = ORK_REQUEST_NULL,
                      .peer = ork_peer(a->peer), .tag = ork_tag(a->tag), .arg = sent.type,
                      .bytes = sent.bytes);
}

/* Of a buffered send that is made now; else 0. */
static inline uint64_t ork_bytes_buffered(const struct ork_args *a, unsigned flags)
{
    return (flags & ORK_F_PERSISTENT) != 0 || a->peer == MPI_PROC_NULL
               ? 0
               : ork_amount(a->count, a->datatype).bytes;
}

ORK_INLINE void ork_before_send(const struct ork_call *call, struct ork_args *a, unsigned mode,
                                unsigned flags)
{
    if (mode == ORK_SEND_BUFFERED)
        ork_attached_begin(call, ork_bytes_buffered(a, flags));
    if ((flags & ORK_F_LOCAL) != 0)
        return;
    ork_lock();
    struct ork_record r = ork_record_send(call, a, mode, flags);
    struct ork_buffer buffer = ork_buffer_sent(a);
    ork_buffers_look(call, &buffer);
    ork_windows_look(call, &buffer);
    ork_make_opaque(&r, ork_is_void(a->count, a->datatype) || a->tag < 0);
    ork_enter_blocking(&r);
    ork_unlock();
}

static inline uint32_t ork_persistent_send(const struct ork_args *a, unsigned mode, uint64_t bytes)
{
    bool is_buffered = mode == ORK_SEND_BUFFERED && a->peer != MPI_PROC_NULL;

    return ORK_R_PERSISTENT | (is_buffered ? ork_request_buffering(bytes) : 0);
}

/* The calls of an iteration: see loop_body.h. */
ORK_INLINE void ork_maker_send(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                               unsigned flags, int result)
{
    bool is_bound;

    if ((flags & ORK_F_PERSISTENT) != 0 || mode == ORK_SEND_BUFFERED ||
        !ork_template_is_wanted(call, result, &is_bound))
        return;
    const struct ork_buffer buffer = ork_buffer_sent(a);
    if (ork_windows_have(&buffer))
        return;
    const struct ork_template template = {.sendbuf = a->sendbuf,
                                          .count = a->count,
                                          .datatype = a->datatype,
                                          .peer = a->peer,
                                          .tag = a->tag,
                                          .comm = a->comm};
    ork_template_make_p2p(call, &template, (flags & ORK_F_LOCAL) != 0 ? a->request : NULL,
                          is_bound);
}

ORK_INLINE void ork_maker_recv(const struct ork_call *call, const struct ork_args *a,
                               unsigned flags, int result)
{
    bool is_bound;

    if ((flags & ORK_F_PERSISTENT) != 0 || ork_is_wildcard(a->peer, a->tag) ||
        !ork_template_is_wanted(call, result, &is_bound))
        return;
    const struct ork_buffer buffer = ork_buffer_received(a);
    if (ork_windows_have(&buffer))
        return;
    const struct ork_template template = {.recvbuf = a->recvbuf,
                                          .count = a->count,
                                          .datatype = a->datatype,
                                          .peer = a->peer,
                                          .tag = a->tag,
                                          .comm = a->comm,
                                          .receives = true};
    ork_template_make_p2p(call, &template, (flags & ORK_F_LOCAL) != 0 ? a->request : NULL,
                          is_bound);
}

ORK_INLINE void ork_maker_sendrecv(const struct ork_call *call, const struct ork_args *a,
                                   int result)
{
    bool is_bound;

    if (ork_is_wildcard(a->peer2, a->tag2) || !ork_template_is_wanted(call, result, &is_bound))
        return;
    const struct ork_template template = {.sendbuf = a->sendbuf,
                                          .count = a->count,
                                          .datatype = a->datatype,
                                          .peer = a->peer,
                                          .tag = a->tag,
                                          .comm = a->comm,
                                          .recvbuf = a->recvbuf,
                                          .count2 = a->count2,
                                          .datatype2 = a->datatype2,
                                          .peer2 = a->peer2,
                                          .tag2 = a->tag2};
    ork_template_make_p2p(call, &template, NULL, is_bound);
}

ORK_INLINE void ork_after_send(const struct ork_call *call, struct ork_args *a, unsigned mode,
                               unsigned flags, int result)
{
    if (mode == ORK_SEND_BUFFERED)
        ork_attached_end(call, ork_bytes_buffered(a, flags), result);
    if ((flags & ORK_F_LOCAL) == 0) {
        ork_exit_plain(call, result);
        ork_maker_send(call, a, mode, flags, result);
        return;
    }
    ork_lock();
    struct ork_record r = ork_record_send(call, a, mode, flags);
    ork_start(call, &r, a->request,
              (flags & ORK_F_PERSISTENT) != 0 ? ork_persistent_send(a, mode, r.bytes) : 0u, result);
    struct ork_buffer buffer = ork_buffer_sent(a);
    ork_buffer_started(call, r.request, flags, &buffer, result);
    ork_unlock();
    ork_maker_send(call, a, mode, flags, result);
}

/* -- recv -- */

/* A blocking receive with a wildcard returned. */
ORK_INLINE void ork_exit_choice(const struct ork_call *call, const MPI_Status *status, int result)
{
    ork_lock();
    if (ORK_LIKELY(result == MPI_SUCCESS || ork_is_truncated(result)))
        ork_choice_received(call, status);
    else
        ork_choice_received(call, NULL);
    ork_unlock();
    ork_exit_status(call, status, ORK_REQUEST_NULL, ork_thread.choices, result);
}

ORK_INLINE struct ork_record ork_record_recv(const struct ork_call *call, const struct ork_args *a,
                                             unsigned flags)
{
    struct ork_amount room = ork_amount(a->count, a->datatype);

    return ORK_RECORD(call, RECV, .flags = (uint8_t)flags, .comm = ork_comm_id(a->comm),
                      .request = ORK_REQUEST_NULL, .peer = ork_peer(a->peer),
                      .tag = ork_tag(a->tag), .arg = room.type, .bytes = room.bytes);
}

/* Several threads probe and receive. */
static inline void ork_receive_concurrently(const struct ork_call *call, MPI_Comm comm, int source,
                                            int tag)
{
    ork_lock();
    ork_concurrency_receive(call, ork_comm_id(comm), source, tag);
    ork_unlock();
}

ORK_INLINE void ork_before_recv(const struct ork_call *call, struct ork_args *a, unsigned flags)
{
    if (ork_is_concurrent() && (flags & ORK_F_PERSISTENT) == 0)
        ork_receive_concurrently(call, a->comm, a->peer, a->tag);
    if ((flags & ORK_F_LOCAL) != 0)
        return;
    ork_observe_status(a);
    ork_lock();
    struct ork_record r = ork_record_recv(call, a, flags | ork_blind(a->status == &a->own));
    struct ork_buffer buffer = ork_buffer_received(a);
    ork_buffers_look(call, &buffer);
    ork_make_opaque(&r, ork_is_void(a->count, a->datatype) || ork_is_no_source_tag(a->tag));
    ork_enter_blocking(&r);
    ork_unlock();
    ork_windows_observe(&a->status, &a->own);
}

ORK_INLINE void ork_after_recv(const struct ork_call *call, struct ork_args *a, unsigned flags,
                               int result)
{
    if ((flags & ORK_F_LOCAL) != 0) {
        ork_lock();
        struct ork_record r = ork_record_recv(call, a, flags);
        uint32_t ordinal = (flags & ORK_F_PERSISTENT) != 0 ? 0 : ++ork_thread.receives;
        ork_start(call, &r, a->request,
                  ork_request_flags(a, flags) | ordinal << ORK_R_ORDINAL_SHIFT, result);
        struct ork_buffer buffer = ork_buffer_received(a);
        ork_buffer_started(call, r.request, flags, &buffer, result);
        if (ORK_UNLIKELY(ork_replay_is_on()) && ordinal != 0 && ork_is_wildcard(a->peer, a->tag) &&
            result == MPI_SUCCESS)
            ork_posts_keep(r.request, a);
        if (ORK_UNLIKELY(ork_decisions_are_on()) && ordinal != 0)
            ork_told_posted(call, r.request, result);
        ork_unlock();
        ork_maker_recv(call, a, flags, result);
        return;
    }
    if (ork_is_wildcard(a->peer, a->tag))
        ork_exit_choice(call, a->status, result);
    else
        ork_exit_plain(call, result);
    struct ork_buffer buffer = ork_buffer_received(a);
    ork_windows_look_received(call, &buffer, a->status, result);
    ork_maker_recv(call, a, flags, result);
}

/* -- sendrecv: peer and tag are the send's, peer2 and tag2 the receive's -- */

/* MPI_Sendrecv_replace has one buffer, count and datatype. */
static inline bool ork_replaces(const struct ork_args *a)
{
    return a->datatype2 == MPI_DATATYPE_NULL;
}

ORK_INLINE struct ork_buffer ork_buffer_exchanged(const struct ork_args *a)
{
    return (struct ork_buffer){.use = ORK_BUFFER_WRITTEN,
                               .address = a->recvbuf,
                               .count = a->peer2 == MPI_PROC_NULL ? 0
                                        : ork_replaces(a)         ? a->count
                                                                  : a->count2,
                               .type = ork_replaces(a) ? a->datatype : a->datatype2};
}

ORK_INLINE void ork_look_at_both(const struct ork_call *call, const struct ork_args *a)
{
    struct ork_buffer_bytes from, to;
    struct ork_buffer sent = ork_buffer_sent(a);
    struct ork_buffer received = ork_buffer_exchanged(a);

    ork_windows_look(call, &sent);
    ork_buffers_look(call, &sent);
    ork_buffers_look(call, &received);
    if (ork_replaces(a) || !ork_buffers_are_on || !ork_buffer_find(&sent, &from))
        return;
    if (ork_buffer_find(&received, &to)) {
        ork_buffers_separate(call, &from, &to, ORK_USAGE_BUFFER_SENDRECV);
        ork_buffer_release(&to);
    }
    ork_buffer_release(&from);
}

ORK_INLINE void ork_before_sendrecv(const struct ork_call *call, struct ork_args *a)
{
    if (ork_is_concurrent())
        ork_receive_concurrently(call, a->comm, a->peer2, a->tag2);
    ork_observe_exchanged(a);
    struct ork_amount sent = ork_amount(a->count, a->datatype);
    struct ork_amount room =
        a->datatype2 == MPI_DATATYPE_NULL ? sent : ork_amount(a->count2, a->datatype2);
    ork_lock();
    struct ork_record r = ORK_RECORD(
        call, SENDRECV, .flags = (uint8_t)ork_blind(a->status == &a->own),
        .comm = ork_comm_id(a->comm), .request = ORK_REQUEST_NULL, .peer = ork_peer(a->peer),
        .tag = ork_tag(a->tag), .peer2 = ork_peer(a->peer2), .tag2 = ork_tag(a->tag2),
        .arg = sent.type, .arg2 = room.type, .bytes = sent.bytes, .extra = room.bytes);
    ork_look_at_both(call, a);
    ork_make_opaque(&r, ork_is_void(a->count, a->datatype) ||
                            ork_is_void(a->count2, a->datatype2) || a->tag < 0 ||
                            ork_is_no_source_tag(a->tag2));
    ork_enter_blocking(&r);
    ork_unlock();
    ork_windows_observe(&a->status, &a->own);
}

ORK_INLINE void ork_after_sendrecv(const struct ork_call *call, struct ork_args *a, int result)
{
    if (ork_is_wildcard(a->peer2, a->tag2))
        ork_exit_choice(call, a->status, result);
    else
        ork_exit_plain(call, result);
    const struct ork_buffer sent = ork_buffer_sent(a);
    const struct ork_buffer received = ork_buffer_exchanged(a);
    ork_windows_look_received(call, &received, a->status, result);
    if (!ork_windows_have(&sent) && !ork_windows_have(&received))
        ork_maker_sendrecv(call, a, result);
}

#endif
