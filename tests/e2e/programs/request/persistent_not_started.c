/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 sets up a persistent send and forgets MPI_Start; rank 0 waits for the message.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv HERE
 * SAYS: [Rr]ank 1 has a persistent send to rank 0, tag 3, that is not started \(MPI_Send_init at persistent_not_started.c:\d+\)
 * ADVISES: Let rank 1 start the request of MPI_Send_init
 * MAYBE: request-leak
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, in = 0, out = 1;
    MPI_Request request = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&in, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    } else {
        MPI_Send_init(&out, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* of an inactive request: returns at once */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
