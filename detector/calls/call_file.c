/* SPDX-License-Identifier: BSD-3-Clause */
/* Data access of files that is not collective (MPI-3.1 section 13.4.2): nonblocking, or with the
 * shared file pointer. The file system completes it, no other rank. Collective calls on files are
 * in call_collective.c. */
#include "detector/calls/call_type.h"
#include "detector/calls/p2p.h"

static void enter_access(struct mpi_thread *th)
{
    if ((th->call.flags & ORK_F_NONBLOCKING) != 0)
        ork_p2p_give_to_request(th, &th->call, NULL);
}

static bool read_access(struct reader *r)
{
    struct rank_builder *s = &r->o->rank_builder[r->p->rank];

    s->shared_started += r->rec.request == ORK_REQUEST_SHARED;
    if ((r->rec.flags & ORK_F_NONBLOCKING) != 0)
        ork_program_consume(r, r->rec.request);
    return true;
}

const struct call_type ork_call_type_file_access = {
    .enter = enter_access,
    .to_steps = read_access,
};
