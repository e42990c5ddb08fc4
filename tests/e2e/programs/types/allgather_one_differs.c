/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 sections 5.7, 5.8 and 5.9.1: one rank passes another type to MPI_Allgather, MPI_Alltoall
 * and MPI_Allreduce. Each is one finding, though several pairs of ranks differ.
 *
 * RANKS: 4
 * EXPECT: no-deadlock
 * FINDING: type-mismatch error
 * SAYS: ranks 0, 1 and 3 send 1 x MPI_INT \(MPI_Allgather at allgather_one_differs.c:\d+\), but rank 2 receives 1 x MPI_FLOAT
 * SAYS: ranks 0, 1 and 3 send 1 x MPI_INT \(MPI_Alltoall at allgather_one_differs.c:\d+\), but rank 2 receives 1 x MPI_FLOAT
 * SAYS: ranks 0, 1 and 3 pass 1 x MPI_INT \(MPI_Allreduce at allgather_one_differs.c:\d+\), but rank 2 passes 1 x MPI_FLOAT
 * SAYS: 3 findings
 * EXIT: 66
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word[4] = {0}, all[4];
    MPI_Datatype type;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    type = rank == 2 ? MPI_FLOAT : MPI_INT;
    MPI_Allgather(word, 1, type, all, 1, type, MPI_COMM_WORLD);
    MPI_Alltoall(word, 1, type, all, 1, type, MPI_COMM_WORLD);
    MPI_Allreduce(word, all, 1, type, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
