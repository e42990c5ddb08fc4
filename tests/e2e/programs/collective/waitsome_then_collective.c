/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Waitsome returns for a message that the library buffers. The other request, which the wait
 * named, too, is for a barrier that rank 1 never enters.
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
    int rank, word = 0, count, index[2];
    MPI_Request request[2];
    MPI_Comm other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    if (rank == 0) {
        MPI_Ibarrier(other, &request[0]);
        MPI_Isend(&word, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request[1]);
        MPI_Waitsome(2, request, &count, index, MPI_STATUSES_IGNORE);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE); /* LATER */
    } else {
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    }
    MPI_Finalize();
    return 0;
}
