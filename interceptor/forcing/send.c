/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends that do not wait for the receive, MPI-3.1 chapter 3: they are counted (backlog.h). In a
 * deterministic run no call may block inside the library while receives are deferred. */
#include "interceptor/forcing/impose.h"
#include "interceptor/forcing/backlog.h"
#include "interceptor/forcing/decided.h"
#include "interceptor/forcing/told.h"

#define SEND(name, start)                                                                          \
    static int imposed_##name(const void *buf, int count, MPI_Datatype datatype, int dest,         \
                              int tag, MPI_Comm comm)                                              \
    {                                                                                              \
        MPI_Request request;                                                                       \
                                                                                                   \
        if (!ork_is_imposed(ORK_CALL_##name) || dest == MPI_PROC_NULL)                             \
            return REAL(name)(buf, count, datatype, dest, tag, comm);                              \
        if (!ork_decisions_are_on() || !ork_deferred_any()) {                                      \
            int sent = REAL(name)(buf, count, datatype, dest, tag, comm);                          \
            count_sent(sent, comm, dest);                                                          \
            return sent;                                                                           \
        }                                                                                          \
        int result = ORK_NEXT(start)(buf, count, datatype, dest, tag, comm, &request);             \
        count_sent(result, comm, dest);                                                            \
        return result == MPI_SUCCESS ? ork_await_send(ORK_CALL_##name, &request) : result;         \
    }

static void count_sent(int result, MPI_Comm comm, int dest)
{
    if (result == MPI_SUCCESS)
        ork_backlog_sent(comm, dest);
    if (ork_run_is_decided)
        ork_told_sent(comm, dest);
}

SEND(MPI_Send, MPI_Isend)
SEND(MPI_Ssend, MPI_Issend)
SEND(MPI_Rsend, MPI_Irsend)

static int imposed_MPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
                             MPI_Comm comm, MPI_Request *request)
{
    bool is_own = ork_is_imposed(ORK_CALL_MPI_Isend);
    int result = REAL(MPI_Isend)(buf, count, datatype, dest, tag, comm, request);

    if (is_own)
        count_sent(result, comm, dest);
    return result;
}

void ork_impose_sends(void)
{
    ORK_IMPOSE(MPI_Send);
    ORK_IMPOSE(MPI_Ssend);
    ORK_IMPOSE(MPI_Rsend);
    ORK_IMPOSE(MPI_Isend);
}
