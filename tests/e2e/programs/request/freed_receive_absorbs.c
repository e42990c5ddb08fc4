/* SPDX-License-Identifier: BSD-3-Clause */
/* A freed receive still takes the message; the receive behind it waits for ever.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * MAYBE: request-misuse
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 1 MPI_Recv HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    int box[1] = {0};
    MPI_Request request[1];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&box[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Request_free(&request[0]);
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    }
    MPI_Finalize();
    return 0;
}
