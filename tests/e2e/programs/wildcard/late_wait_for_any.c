/* SPDX-License-Identifier: BSD-3-Clause */
/* Both others send to a wildcard receive and to one that comes much later; in between all three
 * exchange further messages.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: 999
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Request request;
    int rank, value = 0, in = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Isend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 1000; i++)
        MPI_Sendrecv(&i, 1, MPI_INT, (rank + 1) % 3, 1, &in, 1, MPI_INT, (rank + 2) % 3, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("%d\n", in);
    }
    MPI_Finalize();
    return 0;
}
