/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 writes where nothing is, outside MPI.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: abnormal-end error
 * SAYS: rank 0: MPI_Recv.*waits for 1
 * SAYS_LINE: HERE
 * SAYS: rank 1 was killed by SIGSEGV at segv.c:\d+, after MPI_Barrier at segv.c:
 * SAYS_LINE: DEED
 * LAST: 1: MPI_Init; MPI_Barrier BEFORE
 * EXIT: 139
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int in = 0;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD); /* BEFORE */
    if (rank == 1) {
        usleep(300000); /* the other ranks enter their calls */
        in = *(volatile int *)8; /* DEED */
    }
    if (rank == 0)
        MPI_Recv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
