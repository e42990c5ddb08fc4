/* SPDX-License-Identifier: BSD-3-Clause */
/* Both ranks receive first in the end; before that they did what the report lists as their last
 * calls: collectives in a row, polls in vain, a wildcard receive.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * MAYBE: buffer-overlap
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv HANGS
 * LAST: 0: MPI_Barrier x 5 BARRIER; MPI_Recv TOOK; MPI_Sendrecv SENDRECV; MPI_Bcast BCAST; MPI_Recv HANGS
 * LAST: 1: MPI_Barrier x 5 BARRIER; MPI_Test x 12 POLL; MPI_Send SENT; MPI_Sendrecv SENDRECV; MPI_Bcast BCAST; MPI_Recv HANGS
 */
#include <mpi.h>

static void poll(MPI_Request *request)
{
    int flag;

    for (int i = 0; i < 12; i++)
        MPI_Test(request, &flag, MPI_STATUS_IGNORE); /* POLL */
}

int main(int argc, char **argv)
{
    int rank, in = 0, out = 1;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 5; i++)
        MPI_Barrier(MPI_COMM_WORLD); /* BARRIER */
    if (rank == 0) {
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* TOOK */
    } else {
        poll(&request);
        MPI_Send(&out, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); /* SENT */
    }
    MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank, 1, &in, 1, MPI_INT, 1 - rank, 1, /* SENDRECV */
                 MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Bcast(&out, 1, MPI_INT, 1, MPI_COMM_WORLD); /* BCAST */
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HANGS */
    MPI_Finalize();
    return 0;
}
