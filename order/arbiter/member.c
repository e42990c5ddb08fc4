/* SPDX-License-Identifier: BSD-3-Clause */
/* Which member of a communicator is which rank. */
#include "order/arbiter/internal.h"

struct comm_ref ork_arbiter_comm_ref(const struct rank *p, uint32_t id)
{
    struct ork_comm_ref ref = ork_comms_ref(p->arbiter->comms, p->number, id);

    return (struct comm_ref){.comm = ref.comm != NULL ? ref.comm->state : NULL, .me = ref.me};
}

uint32_t ork_arbiter_comm_rank_of(const struct comm *c, uint32_t member)
{
    return ork_comms_rank_of(c->of, member);
}

bool ork_arbiter_comm_peer(struct comm_ref ref, int32_t peer, uint32_t *member)
{
    return ork_comms_peer((struct ork_comm_ref){.comm = ref.comm->of, .me = ref.me}, peer, member);
}
