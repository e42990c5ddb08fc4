/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 waits for a nonblocking send that rank 1 never receives (MPI-3.1 section 3.7.3: the send
 * may be complete only when its receive has started). That is one mistake, so the lost message is
 * not told once more.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: potential
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Wait HERE
 * CALL: 1 MPI_Finalize
 * SAYS_LINE: HERE
 * SAYS: Rank 1 is in MPI_Finalize and receives no more messages
 * SAYS: 1 finding \(1 error\)
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 1;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&word, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* HERE */
    }
    MPI_Finalize();
    return 0;
}
