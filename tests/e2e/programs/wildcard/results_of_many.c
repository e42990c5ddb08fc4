/* SPDX-License-Identifier: BSD-3-Clause */
/* Eight workers send two messages each to a master that takes what comes. The number of orders is
 * large; none of them matters.
 *
 * RANKS: 9
 * EXPECT: clean
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < (rank == 0 ? 16 : 2); i++) {
        if (rank == 0)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
