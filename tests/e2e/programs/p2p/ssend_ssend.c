/* SPDX-License-Identifier: BSD-3-Clause */
/* As send_send, but synchronous sends never wait in a buffer: the job hangs.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Ssend HERE
 * CALL: 1 MPI_Ssend HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Ssend(&out, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD); /* HERE */
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
