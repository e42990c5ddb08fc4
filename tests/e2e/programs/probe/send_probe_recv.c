/* SPDX-License-Identifier: BSD-3-Clause */
/* A probe sees the message and leaves it to the receive.
 *
 * RANKS: 2
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

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        printf("%d\n", out);
    } else {
        MPI_Probe(0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
