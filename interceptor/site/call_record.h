/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of a call: what those of all operations have in common. */
#ifndef ORK_CALL_RECORD_H
#define ORK_CALL_RECORD_H

#include "interceptor/mpi/args.h"
#include "interceptor/site/site.h"

/* The call itself does not wait: it only starts or describes an operation. */
enum { ORK_F_LOCAL = ORK_F_NONBLOCKING | ORK_F_PERSISTENT };

/* Sequences that a record may name, and that are not defined yet. */
extern _Atomic uint32_t ork_types_pending;

/* Define them: types.h. The recorder's lock is held. */
void ork_types_define(void) __attribute__((cold, noinline));

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

#endif
