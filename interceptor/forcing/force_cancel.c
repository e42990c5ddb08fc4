/* SPDX-License-Identifier: BSD-3-Clause */
/* Cancelling and freeing of requests in a replay. */
#include "interceptor/outcomes/choice.h"
#include "interceptor/forcing/impose.h"
#include "interceptor/forcing/ordered.h"
#include "interceptor/forcing/force_requests.h"

static int cancel(MPI_Request *request)
{
    struct ork_swap swap;

    ork_swap_in(&swap, 1, request);
    int result = REAL(MPI_Cancel)(swap.request);
    ork_swap_out(&swap);
    return result;
}

/* RATIONALE: an operation that was not cancelled is not cancelled now, either; one that was got no
 * message when it was posted. */
static int imposed_MPI_Cancel(MPI_Request *request)
{
    const struct ork_choice *c = NULL;

    if (!ork_is_imposed(ORK_CALL_MPI_Cancel))
        return REAL(MPI_Cancel)(request);
    ork_lock();
    struct ork_request found = ork_request_find(*request);
    bool wildcard = (found.flags & ORK_R_WILDCARD) != 0;
    if (ork_replay_is_on())
        c = ork_choice_recorded(wildcard ? ORK_CHOICE_RECEIVE : ORK_CHOICE_CANCEL, found.id);
    ork_unlock();
    bool was_cancelled = c != NULL && c->source == (wildcard ? ORK_CANCELLED : 1);
    return c == NULL || was_cancelled ? cancel(request) : MPI_SUCCESS;
}

static int imposed_MPI_Request_free(MPI_Request *request)
{
    struct ork_persistent p;

    if (ork_is_imposed(ORK_CALL_MPI_Request_free) && *request != MPI_REQUEST_NULL &&
        ork_persistent_find(*request, &p)) {
        if (p.stand_in != MPI_REQUEST_NULL)
            REAL(MPI_Request_free)(&p.stand_in);
        ork_persistent_started(*request, MPI_REQUEST_NULL);
        ork_persistent_remove(*request);
    }
    return REAL(MPI_Request_free)(request);
}

void ork_force_init_cancelling(void)
{
    ORK_IMPOSE(MPI_Cancel);
    ORK_IMPOSE(MPI_Request_free);
}
