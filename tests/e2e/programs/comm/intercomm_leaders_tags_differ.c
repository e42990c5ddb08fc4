/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ranks, each alone in its group, make an intercommunicator with different tags.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Intercomm_create HERE
 * CALL: 1 MPI_Intercomm_create HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm both;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, rank, &both); /* HERE */
    MPI_Finalize();
    return 0;
}
