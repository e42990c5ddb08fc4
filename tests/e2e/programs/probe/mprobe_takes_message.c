/* SPDX-License-Identifier: BSD-3-Clause */
/* The matched probe has taken the only message, so the receive between MPI_Mprobe and
 * MPI_Mrecv finds none.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 1 MPI_Recv HERE
 * SAYS: rank 1 waits for a message from rank 0 \(MPI_Recv at .*\), but its matched probe took that message \(MPI_Mprobe
 * SAYS_LINE: HERE
 * ADVISES: Let rank 1 receive the message of MPI_Mprobe \(.*\) with MPI_Mrecv before MPI_Recv
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    MPI_Message message;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
        MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
