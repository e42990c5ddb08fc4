/* SPDX-License-Identifier: BSD-3-Clause */
/* One message, and two receives that could have it, one of them from any source: whichever has it,
 * the other one never gets any. The sender knows from MPI_Waitany that it was received; its other
 * send is pending.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv HERE
 * CALL: 1 MPI_Recv THERE
 * PLAIN: hangs
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int index;
    int word[2] = {0, 0};
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Issend(&word[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request[0]);
        MPI_Issend(&word[1], 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &request[1]);
        MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
        MPI_Recv(&word[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    } else {
        MPI_Irecv(&word[0], 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request[0]);
        MPI_Recv(&word[1], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* THERE */
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
