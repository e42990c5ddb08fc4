/* SPDX-License-Identifier: BSD-3-Clause */
/* A wildcard receive is pending while rank 1 waits for a message of rank 0. There is only one, and
 * the earlier receive has it.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1,2}
 * CALL: 1 MPI_Recv HERE
 * SAYS_LINE: HERE
 * PLAIN: hangs
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Request request;
    int value[2] = {0, 0};
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Irecv(&value[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        MPI_Recv(&value[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 0) {
        usleep(100000);
        MPI_Send(&value[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
