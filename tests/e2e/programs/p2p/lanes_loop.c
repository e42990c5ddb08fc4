/* SPDX-License-Identifier: BSD-3-Clause */
/* Ten steps of an exchange, and then a deadlock: the last calls show the steps as one.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv LAST
 * LAST: 0: [10 x 3] MPI_Irecv IN; MPI_Isend OUT; MPI_Waitall ALL; MPI_Recv LAST
 * LAST: 1: [10 x 3] MPI_Irecv IN; MPI_Isend OUT; MPI_Waitall ALL; MPI_Recv LAST
 * MESSAGES: 0 OUT > 1 ALL; 1 OUT > 0 ALL
 * PENDING: 0 LAST; 1 LAST
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, in, out = 1;
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 10; i++) {
        MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, &request[0]);  /* IN */
        MPI_Isend(&out, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, &request[1]); /* OUT */
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);                          /* ALL */
    }
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LAST */
    MPI_Finalize();
    return 0;
}
