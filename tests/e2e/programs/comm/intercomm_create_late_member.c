/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Intercomm_create is collective over both groups (MPI-3.1 section 6.6.2): rank 3, no leader,
 * does not come, and the ranks of the other group wait for it as well.
 *
 * RANKS: 4
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2 3
 * ROOTS: {0,3}
 * CALL: 0 MPI_Intercomm_create HERE
 * CALL: 1 MPI_Intercomm_create HERE
 * CALL: 2 MPI_Intercomm_create HERE
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

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    if (rank == 3)
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  /* THERE */
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 5, &both); /* HERE */
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return word;
}
