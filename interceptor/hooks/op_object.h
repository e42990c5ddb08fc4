/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by windows and files: they are made on a communicator, and have an order of collective
 * calls like one. */
#ifndef ORK_OP_OBJECT_H
#define ORK_OP_OBJECT_H

#include "interceptor/hooks/op_wait.h"

/* A collective call on the communicator, window or file with this number. */
ORK_INLINE struct ork_record ork_record_object(const struct ork_call *call, uint32_t id,
                                               unsigned mode, unsigned flags)
{
    return ORK_RECORD(call, COLL, .flags = (uint8_t)flags, .mode = (uint16_t)mode, .comm = id,
                      .request = ORK_REQUEST_NULL, .peer = ORK_NO_PEER);
}

/* Before it, if it can block; `fallible` is ORK_F_FALLIBLE or 0. The lock is held. */
ORK_INLINE void ork_enter_object(const struct ork_call *call, uint32_t id, unsigned mode,
                                 unsigned fallible)
{
    struct ork_record r = ork_record_object(call, id, mode, fallible);

    ork_enter_blocking(&r);
}

/* A window or file was made on the communicator args.id, unless the call failed. */
ORK_INLINE void ork_leave_maker(const struct ork_call *call, const struct ork_args *a,
                                unsigned mode, struct ork_map *objects, uint64_t key, int result)
{
    struct ork_record r =
        ORK_RECORD(call, COMM_DEF, .mode = (uint16_t)mode, .request = ORK_REQUEST_NULL,
                   .peer = ORK_NO_PEER, .arg = a->id);

    ork_lock();
    ork_leave_coll(call, result, true);
    if (result == MPI_SUCCESS)
        ork_object_define(objects, key, &r);
    ork_unlock();
}

/* The window or file args.id was freed. RATIONALE: forgotten after the call, because attribute
 * callbacks may use it inside. */
ORK_INLINE void ork_leave_freer(const struct ork_call *call, const struct ork_args *a,
                                struct ork_map *objects, uint64_t key, int result)
{
    ork_lock();
    ork_leave_coll(call, result, false);
    if (result == MPI_SUCCESS)
        ork_object_forget(objects, key, a->id);
    ork_unlock();
}

#endif
