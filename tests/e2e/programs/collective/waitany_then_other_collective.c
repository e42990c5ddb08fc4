/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Waitany returns for a broadcast whose root need not wait for the others. The other request,
 * which the wait named, too, is for a barrier that rank 1 never enters.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Wait LATER
 * CALL: 1 MPI_Recv HERE
 * MAYBE: potential; 0 1; {0,1}
 * EXIT: 66
 * PLAIN: hangs
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 0, index;
    MPI_Request request[2];
    MPI_Comm other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    if (rank == 0) {
        MPI_Ibcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Ibarrier(other, &request[1]);
        MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
        MPI_Wait(&request[1 - index], MPI_STATUS_IGNORE); /* LATER */
    } else {
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    }
    MPI_Finalize();
    return 0;
}
