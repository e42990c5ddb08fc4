/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 changes the last element of a buffer of 400,000 bytes and of one of 8 bytes before their
 * sends are complete (MPI-3.1 section 3.7.2).
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-modified error
 * SAYS: the send buffer of MPI_Isend \(modified.c:\d+\) of rank 0 was changed before the send was complete
 * SAYS: the send buffer of MPI_Issend \(modified.c:\d+\) of rank 0 was changed before the send was complete
 * OPTIONS: --must:check-buffers
 * EXIT: 66
 */
#include <mpi.h>

enum { INTS = 100000 };

int main(int argc, char **argv)
{
    static int words[INTS];
    int rank, few[2] = {0, 0};
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Issend(words, INTS, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Isend(few, 2, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[1]);
        words[INTS - 1] = 1;
        few[1] = 1;
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    } else {
        MPI_Recv(words, INTS, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(few, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
