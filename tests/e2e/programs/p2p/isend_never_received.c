/* SPDX-License-Identifier: BSD-3-Clause */
/* A message that nobody receives and a request that nobody completes: lost and leaked, but
 * nobody waits for it.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * OUTPUT: 1
 * SAYS: MPI_Isend
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int out = 1;
    MPI_Request request[1];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[0]); /* HERE */
        printf("%d\n", request[0] != MPI_REQUEST_NULL);
    }
    MPI_Finalize();
    return 0;
}
