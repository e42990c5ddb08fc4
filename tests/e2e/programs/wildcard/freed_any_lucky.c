/* SPDX-License-Identifier: BSD-3-Clause */
/* Nobody waits for the wildcard receive, its request is freed. If it takes the message of rank 1,
 * the next receive gets none. In this run rank 1 is late.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * MAYBE: request-misuse
 * SEVERAL: interleaving; 0 1 2; *
 * CALL: 0 MPI_Recv HERE
 * SAYS: MPI_Irecv at freed_any_lucky.c:\d+ of rank 0 takes the message from rank 1
 * SAYS_LINE: ANY
 */
#include "../turn.h"

#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Request request;
    int value[2] = {0, 0};
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&value[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request); /* ANY */
        MPI_Request_free(&request);
        MPI_Recv(&value[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    } else {
        usleep(100000);
        if (rank == 1)
            turn_wait("sent");
        MPI_Send(&value[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 2)
            turn_pass("sent");
    }
    MPI_Finalize();
    return 0;
}
