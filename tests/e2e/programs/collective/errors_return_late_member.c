/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors may return, but the calls of these ranks are right: they wait in a barrier for a rank that
 * waits for them.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,2}
 * CALL: 0 MPI_Barrier HERE
 * CALL: 2 MPI_Recv THERE
 * PLAIN: hangs
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int word = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* THERE */
    MPI_Barrier(MPI_COMM_WORLD); /* HERE */
    MPI_Finalize();
    return word;
}
