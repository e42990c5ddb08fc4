/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 sends an element that a pending MPI_Ineighbor_allgather receives (MPI-3.1 section 5.12: no
 * buffer may be accessed until the operation completes). Rank 0 has no neighbour below it, so that
 * the operation does not write the first block; to send that one is right.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap warning
 * SAYS: MPI_Send \(pending_neighbors.c:\d+\) of rank 1 reads bytes 0 to 3 of a buffer that the pending MPI_Ineighbor_allgather \(pending_neighbors.c:\d+\) writes
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, periodic = 0, sent = 1, received[2] = {0}, other;
    MPI_Comm line;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &line);
    MPI_Comm_rank(line, &rank);
    MPI_Ineighbor_allgather(&sent, 1, MPI_INT, received, 1, MPI_INT, line, &request);
    for (int sender = 0; sender < size; sender++) {
        if (rank == sender)
            MPI_Send(&received[0], 1, MPI_INT, 1 - rank, 0, line);
        else
            MPI_Recv(&other, 1, MPI_INT, sender, 0, line, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&line);
    MPI_Finalize();
    return 0;
}
