/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 sends an element that a pending MPI_Iallgatherv receives (MPI-3.1 section 5.12: as with
 * nonblocking point-to-point communication, no buffer may be accessed until the operation
 * completes). Between the blocks that it receives, each rank sends other elements, which is right.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap warning
 * SAYS: MPI_Send \(pending_collective.c:\d+\) of rank 0 reads bytes 20 to 23 of a buffer that the pending MPI_Iallgatherv \(pending_collective.c:\d+\) writes
 */
#include <mpi.h>

enum { RANKS = 2, INTS = 3 };

int main(int argc, char **argv)
{
    int rank, sent[INTS] = {0}, words[10] = {0}, one;
    int counts[RANKS] = {INTS, INTS}, displs[RANKS] = {1, 6}; /* words[1..3] and words[6..8] */
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Iallgatherv(sent, INTS, MPI_INT, words, counts, displs, MPI_INT, MPI_COMM_WORLD, &request);
    for (int i = 4; i <= 6; i++) {
        if (rank == 0)
            MPI_Send(&words[i], 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        else
            MPI_Recv(&one, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
