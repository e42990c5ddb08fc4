/* SPDX-License-Identifier: BSD-3-Clause */
/* A variable that was never set has the address of other memory (MPI-3.1 section 3.7.3): an error
 * if the call fails, as the first one, or crashes, as the second one. The request that was
 * completed before is another one.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: request-misuse warning
 * FINDING: request-misuse error
 * SAYS: warning: .*request in MPI_Start \(.* of rank 0 is no request that this run has made
 * SAYS: error: .*request in MPI_Request_free \(.* of rank 0 is no request that this run has made
 * SAYS: rank 0 was killed by SIG
 * SAYS: 2 findings
 * PLAIN: any
 */
#include <mpi.h>
#include <string.h>

static char unset[4096] __attribute__((aligned(64)));

int main(int argc, char **argv)
{
    int in, out = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    memset(unset, 0x11, sizeof(unset));
    request = (MPI_Request)(void *)unset;
    MPI_Start(&request);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
