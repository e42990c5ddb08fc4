/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 initializes MPI twice (MPI-3.1 section 8.7), and the MPI library ends it.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * PLAIN: compared
 * FINDING: init-finalize error
 * SAYS: MPI_Init \(init_twice.c:\d+\) of rank 1 is called after MPI_Init_thread \(init_twice.c:\d+\)
 * SAYS: MPI_Init at init_twice.c:\d+ of rank 1 ended the process
 * SAYS: 1 finding \(1 error\)
 * SAYS_LINE: AGAIN
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, level;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Init(&argc, &argv); /* AGAIN */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
