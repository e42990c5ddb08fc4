/* SPDX-License-Identifier: BSD-3-Clause */
/* The second receive is posted behind a wildcard of another tag, and both are served.
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

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    switch (rank) {
    case 0:
        MPI_Send(&out, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        printf("%d\n", out);
        break;
    case 1:
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        break;
    default:
        MPI_Send(&out, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
