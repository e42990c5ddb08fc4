/* SPDX-License-Identifier: BSD-3-Clause */
/* Cancelling and freeing: MPI-3.1 sections 3.7.3, 3.8.4 and 6.4.3. */
#include "interceptor/forcing/decided.h"
#include "interceptor/forcing/impose.h"
#include "interceptor/forcing/ordered.h"
#include "interceptor/forcing/persistent.h"
#include "interceptor/forcing/real.h"
#include "interceptor/forcing/told.h"
#include "interceptor/outcomes/choice.h"

/* Is the operation to be cancelled? RATIONALE: one that was not cancelled is not cancelled now,
 * either; one that was got no message when it was posted. Whether a send can be cancelled is not
 * decided: it is the library's affair. */
static bool is_cancelled(const MPI_Request *request)
{
    const struct ork_choice *c = NULL;

    ork_lock();
    struct ork_request found = ork_request_find(*request);
    bool is_wildcard = (found.flags & ORK_R_WILDCARD) != 0;
    if (ork_replay_is_on())
        c = ork_choice_recorded(is_wildcard ? ORK_CHOICE_RECEIVE : ORK_CHOICE_CANCEL, found.id);
    ork_unlock();
    if (ork_decisions_are_on())
        ork_told_cancels(found.id);
    if (ork_decisions_are_on() && (is_wildcard || ork_request_ordinal(found.flags) != 0))
        return ork_decided_cancel(request);
    return c == NULL || c->source == (is_wildcard ? ORK_CANCELLED : 1);
}

static int imposed_MPI_Cancel(MPI_Request *request)
{
    struct ork_swap swap;

    if (ork_is_imposed(ORK_CALL_MPI_Cancel) && !is_cancelled(request))
        return MPI_SUCCESS;
    ork_stand_in_cancel(*request);
    ork_swap_in(&swap, 1, request);
    int result = REAL(MPI_Cancel)(swap.request);
    ork_swap_out(&swap);
    return result;
}

static int imposed_MPI_Request_free(MPI_Request *request)
{
    if (ork_is_imposed(ORK_CALL_MPI_Request_free)) {
        ork_stand_in_free(*request);
        ork_persistent_remove(*request);
    }
    return REAL(MPI_Request_free)(request);
}

/* RATIONALE: the library needs the communicator to post the receives. */
static int imposed_MPI_Comm_free(MPI_Comm *comm)
{
    if (ork_is_decided(ORK_CALL_MPI_Comm_free)) {
        ork_decided_settle();
        ork_deferred_give_comm(*comm);
    }
    return REAL(MPI_Comm_free)(comm);
}

void ork_impose_cancelling(void)
{
    ORK_IMPOSE(MPI_Cancel);
    ORK_IMPOSE(MPI_Request_free);
    if (ork_run_is_decided)
        ORK_IMPOSE(MPI_Comm_free);
}
