/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by all operations: the arguments of a call by role, and the records around it. */
#ifndef ORK_CALL_H
#define ORK_CALL_H

#include "interceptor/buffers/amount.h"
#include "interceptor/buffers/attached.h"
#include "interceptor/buffers/buffers.h"
#include "interceptor/outcomes/choice.h"
#include "interceptor/objects/comms.h"
#include "interceptor/outcomes/decisions.h"
#include "interceptor/call/equal.h"
#include "interceptor/hooks/handle_calls.h"
#include "interceptor/mpi/next.h"
#include "interceptor/ring/recorder.h"
#include "interceptor/requests/requests.h"
#include "interceptor/site/site.h"
#include "interceptor/requests/stored.h"
#include "interceptor/usage/usage.h"

#include <limits.h>

/* RATIONALE: if the hook contains the whole operation, the compiler keeps struct ork_args and the
 * record in registers. */
#define ORK_INLINE static inline __attribute__((always_inline))

struct ork_coll_buffers;
struct ork_wait_set;

/* The function does not have this argument. */
enum { ORK_NO_ROOT = INT_MIN, ORK_NO_RANK = INT_MIN };

/* The call itself does not wait: it only starts or describes an operation. */
enum { ORK_F_LOCAL = ORK_F_NONBLOCKING | ORK_F_PERSISTENT };

/* The arguments of a call by role; 0 if a function does not have one. The hook passes args.status
 * to the real call. */
struct ork_args {
    bool in_place;       /* a buffer is MPI_IN_PLACE */
    bool is_void;        /* see ork_is_void() */
    const void *sendbuf; /* what is read, */
    void *recvbuf;       /* and what is written */
    int count;
    MPI_Datatype datatype;
    MPI_Datatype *newtype;
    int peer;
    int tag;
    int peer2; /* MPI_Sendrecv: the source */
    int tag2;
    int count2; /* of the receive */
    MPI_Datatype datatype2;
    MPI_Comm comm;
    MPI_Comm comm2; /* MPI_Intercomm_create: the peer communicator */
    MPI_Comm *newcomm;
    MPI_Request *request;
    MPI_Request polled; /* whose state is only read */
    int length;         /* of request[] */
    int *outcount;
    int *index; /* or indices */
    int *flag;
    MPI_Status *status; /* or statuses */
    MPI_Message *message;
    MPI_Op op;
    int root; /* ORK_NO_ROOT for a collective without root */
    MPI_Group group;
    int color;
    int rank;  /* ORK_NO_RANK if a window function has none */
    int rank2; /* MPI_Intercomm_create: the leader in the peer communicator */
    MPI_Win win;
    MPI_Win *newwin;
    MPI_File file;
    MPI_File *newfile;
    int amode;
    MPI_Offset displacement; /* of a view */
    MPI_Offset distance;     /* of a seek */
    int whence;
    int lock_type;
    int assertion;
    int target; /* of an RMA call: a rank in the window's group */
    MPI_Aint target_disp;
    const void *origin; /* of an RMA call: its buffers, and the elements of the result */
    const void *result;
    int count3;
    MPI_Datatype datatype3;
    const void *base; /* of memory for a window, and its size */
    MPI_Aint size;
    int errorcode;
    MPI_Errhandler errhandler;
    int level;
    const char *name;
    uint64_t equal[ORK_EQUAL_MAX]; /* of arguments that must be the same at all ranks */

    /* between before and after */
    uint64_t bytes;
    uint32_t type; /* type id of these; 0 if an array of counts says it */
    bool sends;    /* collective: these are known */
    bool receives; /* collective: and what is received: */
    struct ork_amount received;
    const struct ork_coll_buffers *buffers;
    uint32_t words; /* of the list of the record, which has these counts: */
    uint32_t counts_sent, counts_received;
    uint32_t id; /* of the communicator, window or file to be made on or freed; of the message to be
                  * received; of the request of a collective call or a call on a file */
    uint32_t parent; /* communicator of that message */
    bool is_news;    /* the epochs of the window do not know this access yet */
    MPI_Status own;  /* replaces MPI_STATUS_IGNORE */
    struct ork_wait_set *set;
};

ORK_INLINE int32_t ork_peer(int rank)
{
    if (ORK_LIKELY(rank >= 0))
        return rank;
    if (rank == MPI_ANY_SOURCE)
        return ORK_ANY_SOURCE;
    if (rank == MPI_PROC_NULL)
        return ORK_PROC_NULL;
    return rank == MPI_ROOT ? ORK_ROOT : ORK_NO_PEER;
}

ORK_INLINE int32_t ork_tag(int tag)
{
    return tag == MPI_ANY_TAG ? ORK_ANY_TAG : tag;
}

static inline bool ork_is_wildcard(int source, int tag)
{
    return source == MPI_ANY_SOURCE || (tag == MPI_ANY_TAG && source != MPI_PROC_NULL);
}

/* A record of this call. */
#define ORK_RECORD(call_, kind_, ...)                                                              \
    ((struct ork_record){.kind = ORK_KIND_##kind_,                                                 \
                         .call = (call_)->id,                                                      \
                         .thread = ork_thread.index,                                               \
                         .site = (call_)->site,                                                    \
                         __VA_ARGS__})

/* No library can execute this: the call fails and has started nothing. */
static inline bool ork_is_void(int count, MPI_Datatype type)
{
    return count < 0 || (type == MPI_DATATYPE_NULL && count > 0);
}

/* RATIONALE: the record of a call that then fails may have released others. */
ORK_INLINE void ork_make_opaque(struct ork_record *record, bool is_void)
{
    if (ORK_UNLIKELY(is_void))
        record->kind = ORK_KIND_OPAQUE;
}

/* Publish a record without a list. */
ORK_INLINE void ork_send_record(const struct ork_record *record)
{
    if (ORK_UNLIKELY(atomic_load_explicit(&ork_types_pending, memory_order_relaxed) != 0))
        ork_types_define();
    ork_put(record);
    ork_publish();
}

/* The calling thread is inside a call that can block, whose record is published. The lock is
 * held. */
ORK_INLINE void ork_enter(void)
{
    ork_set_state(ORK_STATE_BLOCKED);
    if (ORK_UNLIKELY(ork_decisions_are_on()))
        ork_decided_entered();
}

/* The call can block: publish its record and its state. The lock is held. */
ORK_INLINE void ork_enter_blocking(const struct ork_record *record)
{
    ork_early_ask();
    ork_send_record(record);
    ork_enter();
}

/* A call that can block has returned. The lock is held. */
ORK_INLINE void ork_leave(const struct ork_call *call)
{
    ork_set_state((enum ork_state)call->outer);
}

/* Was a message too long for its buffer? Then source and tag are in the status. */
bool ork_is_truncated(int result) __attribute__((cold));
/* The EXIT record of a call that failed, without a list. The lock is held. */
void ork_put_error(const struct ork_call *call, int result);
/* The same for a call that receives or finds a message, and may have taken it. `status`, `choice`:
 * as for ork_exit_status(). */
void ork_put_receive_error(const struct ork_call *call, const MPI_Status *status, uint64_t choice,
                           int result);
/* The same for a collective call: an error of the arguments means that it was not made. */
void ork_put_coll_error(const struct ork_call *call, int result, bool is_constructor);

/* The application ignores the status, but it is recorded anyway. */
static inline unsigned ork_blind(bool is_ours)
{
    return is_ours ? (unsigned)ORK_F_BLIND : 0u;
}

/* A nonblocking call failed and started nothing: an OPAQUE record and its EXIT. The lock is held.
 */
void ork_put_not_started(const struct ork_call *call, int result);

/* A blocking call without relevant outcome returned. */
ORK_INLINE void ork_exit_plain(const struct ork_call *call, int result)
{
    ork_lock();
    ork_leave(call);
    if (ORK_UNLIKELY(result != MPI_SUCCESS))
        ork_put_error(call, result);
    ork_unlock();
}

/* A collective call, or one of its object, returned. RATIONALE: an error is recorded first, so that
 * a reader that sees the return also sees whether the call failed. The lock is held. */
ORK_INLINE void ork_leave_coll(const struct ork_call *call, int result, bool is_constructor)
{
    if (ORK_UNLIKELY(result != MPI_SUCCESS))
        ork_put_coll_error(call, result, is_constructor);
    ork_leave(call);
}

ORK_INLINE void ork_exit_coll(const struct ork_call *call, int result)
{
    ork_lock();
    ork_leave_coll(call, result, false);
    ork_unlock();
}

/* A blocking call with a relevant status (or NULL) returned. `choice`: the number of the choice
 * that it made; 0: none. */
ORK_INLINE void ork_exit_status(const struct ork_call *call, const MPI_Status *status,
                                uint32_t request, uint64_t choice, int result)
{
    struct ork_record r = ORK_RECORD(call, EXIT, .request = request, .peer = ORK_NO_PEER);

    ork_lock();
    ork_leave(call);
    if (ORK_UNLIKELY(result != MPI_SUCCESS)) {
        ork_put_receive_error(call, status, choice, result);
    } else {
        r.extra = ork_choice_name(choice);
        if (status != NULL) {
            r.peer = ork_peer(status->MPI_SOURCE);
            r.tag = ork_tag(status->MPI_TAG);
        }
        ork_send_record(&r);
    }
    ork_unlock();
}

/* A nonblocking call returned: number its request and publish its record. RATIONALE: after the
 * call, because only then it is known whether the library used its shared handle; the call itself
 * does not wait. The lock is held. */
ORK_INLINE void ork_start(const struct ork_call *call, struct ork_record *record,
                          const MPI_Request *request, uint32_t flags, int result)
{
    if (ORK_LIKELY(result == MPI_SUCCESS)) {
        record->request = ork_request_add(*request, flags);
        ork_stored_put(call, request, record->request);
        ork_send_record(record);
        ork_decisions_published();
    } else {
        ork_put_not_started(call, result);
    }
}

#endif
