/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 sections 5.7 and 5.10: MPI_Allgatherv, where one rank expects more of rank 0 than it
 * sends, and MPI_Reduce_scatter, where the counts are not the same at all ranks.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: count-mismatch error
 * SAYS: rank 0 sends 1 x MPI_INT \(MPI_Allgatherv at counts_of_all.c:\d+\), but rank 1 receives 2 x MPI_INT
 * SAYS: rank 0 passes 1 x MPI_INT \(MPI_Reduce_scatter at counts_of_all.c:\d+\), but rank 1 passes 2 x MPI_INT
 * SAYS: 2 findings
 * EXIT: 66
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word[4] = {0}, all[4] = {0};
    const int at[2] = {0, 2};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int room[2] = {rank == 0 ? 1 : 2, 1};
    const int part[2] = {rank == 0 ? 1 : 2, rank == 0 ? 2 : 1};
    MPI_Allgatherv(word, 1, MPI_INT, all, room, at, MPI_INT, MPI_COMM_WORLD);
    MPI_Reduce_scatter(word, all, part, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
