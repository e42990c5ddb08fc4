/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 sends the first element of a buffer into which it is receiving, three times (MPI-3.1
 * section 3.7.2: the receiver should not access any part of the receive buffer until the receive
 * completes).
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap warning
 * SAYS: MPI_Send \(send_from_pending_receive.c:\d+\) of rank 0 reads bytes 0 to 7 of a buffer that the pending MPI_Irecv \(send_from_pending_receive.c:\d+\) writes, 3 times
 */
#include <mpi.h>

enum { DOUBLES = 10 };

int main(int argc, char **argv)
{
    int rank;
    double values[DOUBLES] = {0};
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++) {
        if (rank == 0) {
            MPI_Irecv(values, DOUBLES, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request);
            MPI_Send(values, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(values, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(values, DOUBLES, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
