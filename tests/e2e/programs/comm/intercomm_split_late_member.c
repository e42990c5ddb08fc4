/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_split of an intercommunicator is collective over both groups: rank 3, no leader, does
 * not come.
 *
 * RANKS: 4
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2 3
 * ROOTS: {0,3}
 * CALL: 0 MPI_Comm_split HERE
 * CALL: 2 MPI_Comm_split HERE
 * CALL: 3 MPI_Recv THERE
 * PLAIN: hangs
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int word = 0;
    MPI_Comm half;
    MPI_Comm both;
    MPI_Comm made;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 5, &both);
    if (rank == 3)
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* THERE */
    MPI_Comm_split(both, 0, rank, &made);                                     /* HERE */
    MPI_Comm_free(&made);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return word;
}
