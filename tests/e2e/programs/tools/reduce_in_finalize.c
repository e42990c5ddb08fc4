/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI_Finalize of a tool in the program collects by PMPI_Reduce at rank 0, and rank 1 never
 * gets there, because it waits for a message of rank 0.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Reduce END
 * CALL: 1 MPI_Recv HERE
 */
#include <mpi.h>

static int calls;

int MPI_Finalize(void)
{
    int all = 0;

    PMPI_Reduce(&calls, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    return PMPI_Finalize();
}

int main(int argc, char **argv)
{
    int rank, word = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Finalize();                                                           /* END */
    return 0;
}
