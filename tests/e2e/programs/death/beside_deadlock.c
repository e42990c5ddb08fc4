/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks 1 and 2 wait for each other; then rank 0, with which they have nothing to do, dies.
 * Neither hides the other.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 1 2
 * ROOTS: {1,2}
 * FINDING: abnormal-end error
 * CALL: 1 MPI_Recv HERE
 * SAYS: rank 0 was killed by SIGSEGV
 * EXIT: 66
 * PLAIN: ends
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int in = 0;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        usleep(100000);
        *(volatile int *)8 = in;
    }
    MPI_Recv(&in, 1, MPI_INT, 3 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Finalize();
    return 0;
}
