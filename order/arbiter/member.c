/* SPDX-License-Identifier: BSD-3-Clause */
/* Which member of a communicator is which rank. */
#include "order/arbiter/internal.h"

struct ork_comm_ref ork_arbiter_comm_ref(const struct rank *p, uint32_t id)
{
    return ork_comms_ref(p->arbiter->comms, p->number, id);
}

struct rank *ork_arbiter_member(const struct ork_arbiter *a, const struct ork_comm *comm,
                                uint32_t member)
{
    ORK_ASSERT(member < comm->group->size);
    return &a->rank[ork_comms_rank_of(comm, member)];
}
