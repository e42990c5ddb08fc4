/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators, MPI-3.1 chapter 6 and section 7.5: made, named, freed. */
#ifndef ORK_OP_COMM_H
#define ORK_OP_COMM_H

#include "interceptor/hooks/op_coll.h"

/* The COLL record of a constructor, with arguments that only some have. The lock is held. */
void ork_put_constructor(const struct ork_call *call, const struct ork_args *a, unsigned mode,
                         unsigned flags, uint32_t request);

/* Its COMM_DEF record. The lock is held. */
void ork_put_constructed(const struct ork_call *call, const struct ork_args *a, unsigned mode);

/* The COMM_NAME record of a communicator, window or file. The lock is held. */
void ork_put_name(const struct ork_call *call, uint32_t id, const char *name);

/* -- constructor. RATIONALE: MPI_Comm_idup, too, has set the handle when it returns (Open MPI
 * and MPICH; their Fortran layers rely on it), and at no later time its address is certainly
 * valid. -- */

ORK_INLINE void ork_before_constructor(const struct ork_call *call, struct ork_args *a,
                                       unsigned mode, unsigned flags)
{
    ork_lock();
    a->id = ork_comm_id(a->comm);
    if ((flags & ORK_F_NONBLOCKING) == 0) {
        ork_early_ask();
        ork_put_constructor(call, a, mode, flags, ORK_REQUEST_NULL);
        ork_enter();
    }
    ork_unlock();
}

ORK_INLINE void ork_after_constructor(const struct ork_call *call, struct ork_args *a,
                                      unsigned mode, unsigned flags, int result)
{
    ork_lock();
    if ((flags & ORK_F_NONBLOCKING) == 0)
        ork_leave_coll(call, result, true);
    else if (result == MPI_SUCCESS)
        ork_put_constructor(call, a, mode, flags, ork_request_add(*a->request, ORK_R_COLLECTIVE));
    else
        ork_put_not_started(call, result);
    if (result == MPI_SUCCESS)
        ork_put_constructed(call, a, mode);
    ork_unlock();
    /* RATIONALE: only here each rank names its edges by itself, so they may contradict each other.
     */
    if (mode == ORK_COLL_DIST_GRAPH_CREATE_ADJACENT && result == MPI_SUCCESS &&
        *a->newcomm != MPI_COMM_NULL)
        ork_neighbors_put(call, *a->newcomm);
}

/* -- join: MPI_Comm_join, which has no parent communicator -- */

ORK_INLINE void ork_before_join(const struct ork_call *call, struct ork_args *a)
{
    a->root = ORK_NO_ROOT;
    a->tag = a->color = 0;
    a->id = ORK_COMM_SELF;
    ork_before_outside(call);
}

ORK_INLINE void ork_after_join(const struct ork_call *call, struct ork_args *a, int result)
{
    ork_after_outside(call, result);
    if (result != MPI_SUCCESS)
        return;
    ork_lock();
    ork_put_constructed(call, a, ORK_COLL_COMM_JOIN);
    ork_unlock();
}

/* -- comm_free: attribute callbacks may still use the communicator inside the call -- */

ORK_INLINE void ork_before_comm_free(const struct ork_call *call, struct ork_args *a, unsigned mode)
{
    a->comm = a->newcomm != NULL ? *a->newcomm : MPI_COMM_NULL;
    a->root = ORK_NO_ROOT;
    a->in_place = false;
    a->bytes = 0;
    ork_lock();
    struct ork_record r = ork_record_coll(call, a, mode, 0);
    a->id = r.comm;
    ork_enter_blocking(&r);
    ork_unlock();
}

ORK_INLINE void ork_after_comm_free(const struct ork_call *call, struct ork_args *a, int result)
{
    ork_lock();
    ork_leave_coll(call, result, false);
    if (result == MPI_SUCCESS)
        ork_comm_forget(a->comm, a->id);
    ork_unlock();
}

/* -- comm_name -- */

ORK_INLINE void ork_after_comm_name(const struct ork_call *call, struct ork_args *a, int result)
{
    if (result != MPI_SUCCESS)
        return;
    ork_lock();
    ork_put_name(call, ork_comm_id(a->comm), a->name);
    ork_unlock();
}

#endif
