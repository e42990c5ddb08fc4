/* SPDX-License-Identifier: BSD-3-Clause */
/* Testall of receives with and without wildcards until all are complete; work is counted between.
 *
 * RANKS: 3 */
#include "digest.h"

enum { ROUNDS = 6 };

static void receive(void)
{
    MPI_Request request[2];
    MPI_Status status[2];
    int got[2];
    int flag = 0, work = 0;

    MPI_Irecv(&got[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(&got[1], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[1]);
    for (; !flag; work++) {
        MPI_Testall(2, request, &flag, status);
        usleep(20);
    }
    saw(work);
    saw_message(&status[0], got[0]);
    saw_message(&status[1], got[1]);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int i = 0; i < ROUNDS; i++) {
        pause_perhaps();
        if (me == 0)
            receive();
        else
            MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    return end();
}
