/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 sends the third and the thirtieth of the words that it is receiving (MPI-3.1 section
 * 3.7.2: the buffer of a pending receive must not be accessed). The other words that it sends
 * meanwhile are not being received, and when all receives are complete, each word may be sent.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap warning
 * FINDING: buffer-overlap warning
 * SAYS: MPI_Send \(many_pending.c:27\) of rank 0 reads bytes 0 to 3 of a buffer that the pending MPI_Irecv \(many_pending.c:25\) writes
 * SAYS: MPI_Send \(many_pending.c:28\) of rank 0 reads bytes 0 to 3 of a buffer that the pending MPI_Irecv \(many_pending.c:25\) writes
 */
#include <mpi.h>

enum { MANY = 40 };

static int words[MANY], others[MANY];

static void receive(void)
{
    MPI_Request request[2 * MANY];

    for (int i = 0; i < MANY; i++) {
        MPI_Isend(&others[i], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[MANY + i]);
        MPI_Irecv(&words[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &request[i]);
    }
    MPI_Send(&words[2], 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Send(&words[29], 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    for (int i = 0; i < MANY; i++)
        MPI_Send(&others[i], 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Waitall(2 * MANY, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MANY; i++)
        MPI_Send(&words[i], 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, word = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        receive();
    } else {
        for (int i = 0; i < 2 * MANY + 2; i++)
            MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < MANY; i++)
            MPI_Send(&word, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
        for (int i = 0; i < MANY; i++)
            MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
