/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Pcontrol(1) switches reports on again: the second exchange is told, the first is not.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: potential
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Send HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Pcontrol(0);
    MPI_Send(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Pcontrol(1);
    MPI_Send(&value, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD); /* HERE */
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
