/* SPDX-License-Identifier: BSD-3-Clause */
/* A copy of a handle is waited for after its request was completed (MPI-3.1 section 3.7.3: the call
 * deallocates the request). The tool reports it before the call, whose effect is undefined.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: request-misuse error
 * SAYS: MPI_Wait \(request_stale.c:\d+\) of rank 0 gets the handle of a
 * SAYS_LINE: STALE
 * MAYBE: abnormal-end
 * PLAIN: any
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int in, out = 0;
    MPI_Request request, copy;

    MPI_Init(&argc, &argv);
    MPI_Irecv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    copy = request;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&copy, MPI_STATUS_IGNORE); /* STALE */
    MPI_Finalize();
    return 0;
}
