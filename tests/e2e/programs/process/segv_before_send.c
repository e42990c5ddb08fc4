/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 crashes before it sends what rank 0 waits for.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: abnormal-end error
 * SAYS: rank 1 was killed by SIGSEGV at segv_before_send.c:\d+, after MPI_Init
 * SAYS: rank 0: MPI_Recv.*waits for 1
 * SAYS_LINE: HERE
 * PLAIN: compared
 */
#include <mpi.h>
#include <signal.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        raise(SIGSEGV);
    MPI_Recv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Finalize();
    return 0;
}
