/* SPDX-License-Identifier: BSD-3-Clause */
/* A ready send of a rank to itself before it posts the receive.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * OUTPUT: 1
 * SAYS: rsend-not-ready
 * SAYS_LINE: HERE
 * EXIT: 66
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int in = 0;
    int out = 1;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Irsend(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* HERE */
    MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    printf("%d\n", in);
    MPI_Finalize();
    return 0;
}
