/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 leaves without MPI_Finalize and without sending what rank 1 waits for.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: abnormal-end error
 * SAYS: rank 0 exited with code 0 at exit_recv.c:\d+ without MPI_Finalize, after MPI_Init
 * SAYS: rank 1: MPI_Recv.*waits for 0
 * SAYS_LINE: HERE
 * PLAIN: ends
 * EXIT: 66
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        exit(0);
    MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Finalize();
    return 0;
}
