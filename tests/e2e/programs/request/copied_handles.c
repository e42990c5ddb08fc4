/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles that are overwritten while their requests are pending, and have copies with which these
 * are completed (MPI-3.1 section 3.7.3); and a request that leaks, in a variable where others were
 * completed and freed.
 *
 * RANKS: 2
 * EXPECT: clean
 * FINDING: request-leak warning
 * SAYS: neither completed nor freed requests before MPI_Finalize \(MPI_Irecv at copied_handles.c:\d+\)\n    rank 0
 * SAYS: 1 finding
 * EXIT: 0
 */
#include <mpi.h>

enum { MANY = 100 };

int main(int argc, char **argv)
{
    int rank, word = 7, in[MANY];
    MPI_Request request, copy[2 * MANY], freed;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int other = 1 - rank;

    for (int i = 0; i < MANY; i++) {
        MPI_Issend(&word, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
        copy[2 * i] = request;
        MPI_Irecv(&in[i], 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
        copy[2 * i + 1] = request;
    }
    MPI_Waitall(2 * MANY, copy, MPI_STATUSES_IGNORE);

    for (int i = 0; i < MANY; i++) {
        MPI_Isend(&word, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &freed);
        MPI_Request_free(&freed);
        MPI_Recv(&in[i], 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Irecv(&in[0], 1, MPI_INT, other, 2, MPI_COMM_WORLD, &request); /* leaks */
    MPI_Finalize();
    return 0;
}
