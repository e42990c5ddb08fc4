/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ranks take whatever comes, and two others send to both.
 *
 * RANKS: 4
 * EXPECT: clean
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2; i++) {
        if (rank < 2)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            MPI_Send(&value, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
