/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 sends a message with tag 5, rank 1 receives one with tag 6 (MPI-3.1 section 3.2.4: the
 * tags must be equal) and never completes the request: both are told, and what differs.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: lost-message warning
 * FINDING: request-leak warning
 * SAYS: Rank 1 got no message in MPI_Irecv at lost_by_tag.c:\d+, and only the tag differs: 5 was sent, and 6 is awaited
 * SAYS_LINE: HERE
 * PENDING: 0 OUT; 1 HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, in = 0, out = 1;
    static char buffer[1000];
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Buffer_attach(buffer, sizeof(buffer));
        MPI_Bsend(&out, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); /* OUT */
    } else {
        MPI_Irecv(&in, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &request); /* HERE */
    }
    MPI_Finalize();
    return 0;
}
