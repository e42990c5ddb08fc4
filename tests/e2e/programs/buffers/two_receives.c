/* SPDX-License-Identifier: BSD-3-Clause */
/* Two pending receives have the last 4 bytes of the first one in common, although both messages are
 * shorter than their buffers: a receive buffer is all of its elements (MPI-3.1 section 3.2.4), and
 * none of them may be accessed until the receive completes (section 3.7.2). Both ranks do this.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap error
 * SAYS: MPI_Irecv \(two_receives.c:\d+\) of ranks 0 and 1 writes bytes 36 to 39 of a buffer that the pending MPI_Irecv \(two_receives.c:\d+\) writes
 * SAYS: The buffer of a receive or a read must not be accessed until it is complete
 * EXIT: 66
 */
#include <mpi.h>

enum { INTS = 10 };

int main(int argc, char **argv)
{
    int rank, words[2 * INTS], sent[2] = {0, 0};
    MPI_Request request[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD); /* both are in the text that is printed soon after the first */
    MPI_Irecv(words, INTS, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(words + INTS - 1, INTS, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &request[1]);
    MPI_Isend(&sent[0], 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request[2]);
    MPI_Isend(&sent[1], 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &request[3]);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
