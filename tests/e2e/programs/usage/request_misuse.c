/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls on requests that do not fit their state: null handles (MPI-3.1 sections 2.5.1 and 3.9), a
 * request that is not persistent or still active in MPI_Start (3.9), collective operations that are
 * cancelled or freed (5.12), an inactive one that is cancelled (3.8.4), a receive that is freed
 * (3.7.3), a persistent request that is never started.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: request-misuse error
 * FINDING: request-misuse warning
 * FINDING: request-misuse note
 * SAYS: warning: .*: MPI_Start \(request_misuse.c:\d+\) .* gets MPI_REQUEST_NULL
 * SAYS: warning: .*: MPI_Request_free \(request_misuse.c:\d+\) .* gets MPI_REQUEST_NULL
 * SAYS: warning: .*: MPI_Cancel \(request_misuse.c:\d+\) .* gets MPI_REQUEST_NULL
 * SAYS: warning: .*: MPI_Start \(request_misuse.c:\d+\) .* starts a request that is not
 * SAYS: warning: .*: MPI_Startall \(request_misuse.c:\d+\) .* starts a request that is active
 * SAYS: warning: .*: MPI_Cancel \(request_misuse.c:\d+\) .* cancels a collective operation
 * SAYS: .*: MPI_Request_free \(request_misuse.c:\d+\) .* frees the request of a
 * SAYS: warning: .*: MPI_Cancel \(request_misuse.c:\d+\) .* cancels a persistent
 * SAYS: warning: .*: MPI_Request_free \(request_misuse.c:\d+\) .* frees a receive that
 * SAYS: note: .*: MPI_Request_free \(request_misuse.c:\d+\) .* frees a persistent
 * SAYS_LINE: TWICE
 * SAYS_LINE: FREED
 * MAYBE: request-leak
 */
#include <mpi.h>

static int in[3], out, me;

static void null_handles(void)
{
    MPI_Request request = MPI_REQUEST_NULL;

    MPI_Start(&request);
    MPI_Request_free(&request);
    MPI_Cancel(&request);
}

static void starts(void)
{
    MPI_Request request;

    MPI_Irecv(&in[0], 1, MPI_INT, me, 1, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Send(&out, 1, MPI_INT, me, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Recv_init(&in[1], 1, MPI_INT, me, 2, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Startall(1, &request); /* TWICE */
    MPI_Send(&out, 1, MPI_INT, me, 2, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

static void cancels(void)
{
    MPI_Request request;

    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Send_init(&out, 1, MPI_INT, me, 3, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Request_free(&request);
}

static void frees(void)
{
    MPI_Request request;

    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Request_free(&request);
    MPI_Irecv(&in[2], 1, MPI_INT, me, 4, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request); /* FREED */
    MPI_Send(&out, 1, MPI_INT, me, 4, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    null_handles();
    starts();
    cancels();
    frees();
    MPI_Finalize();
    return 0;
}
