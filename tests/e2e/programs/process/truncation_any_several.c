/* SPDX-License-Identifier: BSD-3-Clause */
/* A receive from any source takes one of two messages that are too long, and the
 * library ends the run: which one it took is not known, so all that it may have taken are named. A
 * message behind one of them was not taken.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: truncation error
 * SAYS: rank 1 receives at most 1 x MPI_INT \(MPI_Recv at truncation_any_several.c:\d+\), but took a longer message: 2 x MPI_INT of rank 0 \(MPI_Isend at truncation_any_several.c:\d+\) or 3 x MPI_INT of rank 2 \(MPI_Isend at truncation_any_several.c:\d+\)
 * SAYS: MPI_Recv at truncation_any_several.c:\d+ of rank 1 failed with MPI_ERR_TRUNCATE: message truncated
 * SAYS: 1 finding
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out[4] = {1, 2, 3, 4};
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 1)
        MPI_Isend(out, 2 + rank / 2, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[0]);
    if (rank == 0)
        MPI_Isend(out, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
