/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_set_info is collective: it does not wait, but it has its place in the order.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * SAYS: collective-mismatch
 * SAYS: MPI_Comm_set_info
 * PLAIN: any
 * EXIT: 66
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Comm_set_info(MPI_COMM_WORLD, MPI_INFO_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Comm_set_info(MPI_COMM_WORLD, MPI_INFO_NULL);
    MPI_Finalize();
    return 0;
}
