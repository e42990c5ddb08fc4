/* SPDX-License-Identifier: BSD-3-Clause */
/* As freed_handle_waitall.c, with a second receive that is known: that one never completes.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * MAYBE: request-misuse
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Waitall HERE
 * SAYS: request\[1\]: MPI_Irecv from 1, tag 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word[2] = {0};
    MPI_Request request, copy[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&word[0], 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    copy[0] = request;
    MPI_Request_free(&request);
    MPI_Irecv(&word[1], 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &copy[1]);
    MPI_Waitall(2, copy, MPI_STATUSES_IGNORE); /* HERE */
    MPI_Finalize();
    return 0;
}
