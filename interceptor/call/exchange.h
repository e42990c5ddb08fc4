/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank sends and receives in a collective call, for its record: the detector compares it
 * with that of the other ranks (MPI-3.1 sections 5.4 to 5.11). */
#ifndef ORK_INTERCEPTOR_EXCHANGE_H
#define ORK_INTERCEPTOR_EXCHANGE_H

#include "interceptor/call/buffers_coll.h"
#include "interceptor/checks/check.h"
#include "interceptor/objects/neighbors.h"

/* Does the rank receive data of which a receive count and type are significant? */
static inline bool ork_exchange_receives(const struct ork_args *a, unsigned mode,
                                         const struct ork_coll_buffers *buffers,
                                         const struct ork_comm_bounds *bounds)
{
    switch (ork_coll_exchange(mode)) {
    case ORK_EXCHANGE_TO_ROOT:
        return ork_is_root(bounds, a->root);
    case ORK_EXCHANGE_FROM_ROOT:
        return mode != ORK_COLL_BCAST && ork_is_member(bounds, a->root) &&
               buffers->received.address != MPI_IN_PLACE;
    case ORK_EXCHANGE_AMONG_ALL:
    case ORK_EXCHANGE_AMONG_NEIGHBORS:
        return true;
    case ORK_EXCHANGE_COMBINED:
    case ORK_EXCHANGE_NONE:
        break;
    }
    return false;
}

/* One with arrays of counts. */
void ork_exchange_count(struct ork_args *a, unsigned mode, const struct ork_coll_buffers *buffers,
                        const struct ork_comm_bounds *bounds) __attribute__((noinline));

/* Find it. `buffers` must exist until the record is written. Without the recorder's lock. */
ORK_INLINE void ork_exchange_look(const struct ork_call *call, struct ork_args *a, unsigned mode,
                                  const struct ork_coll_buffers *buffers)
{
    enum ork_coll_exchange exchange = ork_coll_exchange(mode);

    if (exchange == ORK_EXCHANGE_NONE) {
        a->sends = false;
        return;
    }
    if (mode == ORK_COLL_BCAST ||
        (exchange == ORK_EXCHANGE_COMBINED && !ork_coll_has(mode, ORK_COUNTS_SENT)))
        return;
    const struct ork_comm_bounds *bounds = ork_bounds_of(a->comm);
    if (exchange == ORK_EXCHANGE_AMONG_NEIGHBORS) {
        a->sends = bounds->has_neighbors || ork_neighbors_put(call, a->comm);
        if (!a->sends)
            return;
    }
    a->receives = bounds->is_valid && ork_exchange_receives(a, mode, buffers, bounds);
    if (ork_coll_has(mode, ORK_COUNTS_SENT | ORK_COUNTS_RECEIVED)) {
        ork_exchange_count(a, mode, buffers, bounds);
    } else if (a->receives) {
        a->received = ork_amount(buffers->received.count, buffers->received.type);
        if (mode == ORK_COLL_ALLTOALL)
            a->received.bytes *= (uint64_t)bounds->size;
    }
}

/* Publish a record with its list of args->words > 0 words; the call can block. The lock is held. */
void ork_exchange_put(struct ork_record *record, const struct ork_args *a);
void ork_exchange_enter(struct ork_record *record, const struct ork_args *a)
    __attribute__((noinline));

#endif
