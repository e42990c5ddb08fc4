/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages on the parent pass while a nonblocking duplication is on its way.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    MPI_Request request[1];
    MPI_Comm copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request[0]);
    MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % 3, 0, &in, 1, MPI_INT, (rank + 2) % 3, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Barrier(copy);
    MPI_Comm_free(&copy);
    if (rank == 0)
        printf("%d\n", in);
    MPI_Finalize();
    return 0;
}
