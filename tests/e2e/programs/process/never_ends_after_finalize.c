/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 has left MPI_Finalize, but its process sleeps on: the job does not end.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * INTERRUPT: 14
 * SAYS: hang: rank 1 has left MPI_Finalize, but its process sleeps and does not exit
 * EXIT: 130
 * PLAIN: hangs
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        printf("begun\n");
        fflush(stdout);
    }
    MPI_Finalize();
    while (rank == 1)
        pause();
    return 0;
}
