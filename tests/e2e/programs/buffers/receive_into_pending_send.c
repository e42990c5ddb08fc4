/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 receives into the last 40 bytes of a buffer that it is still sending (MPI-3.1 section
 * 3.7.2: the sender should not modify any part of the send buffer until the send completes). The
 * messages are small, and the library completes the send at once: that does not complete it for
 * the program.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap error
 * SAYS: MPI_Irecv \(receive_into_pending_send.c:\d+\) of rank 0 writes bytes 40 to 79 of a buffer that the pending MPI_Isend \(receive_into_pending_send.c:\d+\) reads
 * SAYS: The buffer of a send or a write must not be changed until it is complete \(MPI-3.1 section 3.7.2\)
 * EXIT: 66
 */
#include <mpi.h>

enum { INTS = 20 };

int main(int argc, char **argv)
{
    int rank, words[INTS + INTS / 2] = {0};
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(words, INTS, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[0]);
        /* The first 40 bytes of this buffer are the last 40 bytes of the one above. */
        MPI_Irecv(words + INTS / 2, INTS, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[1]);
    } else {
        static int other[INTS];
        MPI_Irecv(words, INTS, MPI_INT, 0, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Isend(other, INTS, MPI_INT, 0, 0, MPI_COMM_WORLD, &request[1]);
    }
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
