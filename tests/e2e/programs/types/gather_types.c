/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 sections 5.5 and 5.6: what each process sends to the root of an MPI_Gather must be what
 * the root receives from it, and the other way round in an MPI_Scatter. The receive arguments of
 * other processes than the root do not matter.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: type-mismatch error
 * FINDING: count-mismatch error
 * SAYS: rank 1 sends 2 x MPI_FLOAT \(MPI_Gather at gather_types.c:\d+\), but rank 0 receives 2 x MPI_INT \(MPI_Gather at gather_types.c:\d+\)
 * SAYS: rank 2 sends 2 x MPI_INT \(MPI_Scatter at gather_types.c:\d+\), but rank 1 receives 3 x MPI_INT \(MPI_Scatter at gather_types.c:\d+\)
 * SAYS: 2 findings
 * EXIT: 66
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word[3] = {0}, all[9] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Gather(word, 2, rank == 1 ? MPI_FLOAT : MPI_INT, all, rank == 0 ? 2 : 7,
               rank == 0 ? MPI_INT : MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Scatter(all, rank == 2 ? 2 : 5, rank == 2 ? MPI_INT : MPI_CHAR, word, rank == 1 ? 3 : 2,
                MPI_INT, 2, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
