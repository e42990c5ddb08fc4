/* SPDX-License-Identifier: BSD-3-Clause */
/* Two broadcasts with different roots are completed in the opposite order by the odd rank.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: 5 6
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int first = rank == 0 ? 5 : 0;
    int second = rank == 2 ? 6 : 0;

    MPI_Ibcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Ibcast(&second, 1, MPI_INT, 2, MPI_COMM_WORLD, &request[1]);
    MPI_Wait(&request[rank == 1 ? 1 : 0], MPI_STATUS_IGNORE);
    MPI_Wait(&request[rank == 1 ? 0 : 1], MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("%d %d\n", first, second);
    MPI_Finalize();
    return 0;
}
