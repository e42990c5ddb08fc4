/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 takes a message by a matched probe and never receives it. Only MPI_Mrecv or MPI_Imrecv can
 * receive it then (MPI-3.1 section 3.8.2). Of a second one, it receives what it took. So rank 0
 * would wait for ever if it detached its buffer.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: resource-leak warning
 * SAYS: 1 message that MPI_Mprobe \(message_not_received.c:\d+\) returned was not received
 * SAYS_LINE: TAKEN
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    static char buffer[2 * (sizeof(int) + MPI_BSEND_OVERHEAD)];
    int rank, flag = 0, word = 0;
    MPI_Message message;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Buffer_attach(buffer, sizeof(buffer));
        MPI_Bsend(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Bsend(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE); /* TAKEN */
        while (!flag)
            MPI_Improbe(0, 1, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(&word, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
