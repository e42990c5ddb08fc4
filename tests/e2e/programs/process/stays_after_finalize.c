/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 takes some seconds to end after MPI_Finalize: that is no hang.
 *
 * RANKS: 3
 * EXPECT: clean
 * PLAIN: ends
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    if (rank == 1)
        sleep(4);
    return 0;
}
