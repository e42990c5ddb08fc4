/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 sends work to rank 2 until the answer of rank 1 is there. Rank 1 answers when rank 2 has
 * got so much work, so that a rank 0 that waits in a test before that would wait for ever. In a
 * deterministic run some of its tests do wait: they are over when no rank can go on.
 *
 * RANKS: 3 */
#include "digest.h"

enum { NEEDED = 40, WORK = 1, STOP };

static void send_work(void)
{
    MPI_Request request;
    int answer, done = 0, word = WORK, sent = 0;

    MPI_Irecv(&answer, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    while (MPI_Test(&request, &done, MPI_STATUS_IGNORE), !done) {
        MPI_Send(&word, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        sent++;
        usleep(100);
    }
    word = STOP;
    MPI_Send(&word, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    saw(sent);
}

static void work(void)
{
    int word = WORK, got = 0;

    while (word != STOP) {
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (++got == NEEDED)
            MPI_Send(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int got;

    begin(&argc, &argv);
    if (me == 0)
        send_work();
    if (me == 1) {
        MPI_Recv(&got, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pause_perhaps();
        MPI_Send(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    if (me == 2)
        work();
    return end();
}
