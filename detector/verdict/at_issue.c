/* SPDX-License-Identifier: BSD-3-Clause */
/* Is a rank in a call that an issue is about? Reads only. */
#include "detector/calls/call.h"
#include "detector/verdict/search.h"

/* The requests that it waited for are complete in the strict analysis, but their calls are kept. */
static bool waits_for(const struct proc *p, const struct mpi_thread *th,
                      const struct ork_issue_side *side)
{
    for (uint32_t i = 0; th->call.kind == ORK_KIND_WAIT && i < th->call.count; i++) {
        const struct request *r = th->list[i] < p->num_requests ? p->request[th->list[i]] : NULL;
        if (r != NULL && r->call.site == side->call.site && r->call.call == side->call.call)
            return true;
    }
    return false;
}

static bool is_side(const struct ork_issue_side *side, uint32_t rank)
{
    for (uint32_t i = 0; i < side->num_ranks; i++) {
        if (side->ranks[i] == rank)
            return true;
    }
    return false;
}

static bool is_at_side(const struct proc *p, const struct mpi_thread *th,
                       const struct ork_issue_side *side)
{
    bool is_local = (th->call.flags & (ORK_F_NONBLOCKING | ORK_F_PERSISTENT)) != 0;

    if (side->call.kind == ORK_KIND_COLL && th->call.kind == ORK_KIND_COLL)
        return !is_local && th->call.mode == side->call.mode && th->made_on == side->comm &&
               th->made_at == side->wave;
    if (!is_side(side, p->rank))
        return false;
    return waits_for(p, th, side) ||
           (ork_record_has(&th->call, ORK_IS_MESSAGE) && !is_local &&
            th->call.site == side->call.site && th->call.call == side->call.call);
}

bool ork_detector_is_at_issue(const struct ork_detector *d, uint32_t rank, uint32_t i)
{
    const struct proc *p = rank < d->nprocs ? d->proc[rank] : NULL;
    const struct mpi_thread *th = p != NULL ? ork_search_shown(p) : NULL;
    const struct ork_issue *issue = i < d->issues.count ? &d->issues.issue[i] : NULL;

    if (th == NULL || issue == NULL || issue->withdrawn || th->in_call || th->queue.count > 0 ||
        p->state_lost || p->fault != NULL)
        return false;
    for (unsigned k = 0; k < issue->num_sides; k++) {
        if (is_at_side(p, th, &issue->side[k]))
            return true;
    }
    return false;
}
