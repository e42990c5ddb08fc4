/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 sleeps, and has a message to come that rank 2 has sent. Behind that send ranks 1 and 2
 * wait for each other: when nobody has got on for a while, that is told, and no hang.
 *
 * RANKS: 3
 * OPTIONS: --must:hang-after 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 1 2
 * ROOTS: {1,2}
 * CALL: 1 MPI_Barrier BARRIER
 * CALL: 2 MPI_Recv HERE
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, word = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    while (rank == 0)
        sleep(100);
    if (rank == 2) {
        MPI_Send(&word, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
        MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    }
    MPI_Barrier(MPI_COMM_WORLD); /* BARRIER */
    MPI_Finalize();
    return 0;
}
