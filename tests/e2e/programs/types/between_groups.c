/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 sections 5.4 and 5.7: on an intercommunicator, what one group sends is what the other one
 * receives. Both directions of an MPI_Allgather may differ. In MPI_Reduce_scatter_block, the group
 * with fewer processes receives more in each (section 5.10.2).
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: type-mismatch error
 * SAYS: rank 2 sends 2 x MPI_INT \(MPI_Bcast at between_groups.c:\d+\), but ranks 0 and 1 receive 2 x MPI_FLOAT \(MPI_Bcast at
 * SAYS: 1 finding
 * EXIT: 66
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word[6] = {0}, all[6];
    double number[2] = {0};
    MPI_Comm half, both;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 2 ? 0 : 2, 0, &both);
    if (rank == 2)
        MPI_Allgather(number, 1, MPI_DOUBLE, all, 3, MPI_INT, both);
    else
        MPI_Allgather(word, 3, MPI_INT, number, 1, MPI_DOUBLE, both);
    if (rank == 2)
        MPI_Bcast(word, 2, MPI_INT, MPI_ROOT, both);
    else
        MPI_Bcast(word, 2, MPI_FLOAT, 0, both);
    MPI_Reduce_scatter_block(word, all, rank == 2 ? 2 : 1, MPI_INT, MPI_SUM, both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
