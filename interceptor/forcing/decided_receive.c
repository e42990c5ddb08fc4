/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests and communicators that are freed. */
#include "interceptor/forcing/decided.h"
#include "interceptor/forcing/force_requests.h"
#include "interceptor/forcing/impose.h"

static int imposed_MPI_Request_free(MPI_Request *request)
{
    if (!ork_is_decided(ORK_CALL_MPI_Request_free))
        return REAL(MPI_Request_free)(request);
    ork_deferred_free(*request);
    ork_persistent_remove(*request);
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

void ork_decided_receive_init(void)
{
    ORK_IMPOSE(MPI_Request_free);
    ORK_IMPOSE(MPI_Comm_free);
}
