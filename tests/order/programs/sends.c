/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of sends: synchronous ones, which are complete when the others have begun to receive, and
 * long ones.
 *
 * RANKS: 3 */
#include "digest.h"

enum { ROUNDS = 6, LONG = 20000 };

static int buffer[2][LONG];

static void send(int round)
{
    MPI_Request request[4];
    int index[4];
    int count, vain = 0;

    for (int i = 0; i < 2; i++) {
        buffer[i][0] = round;
        MPI_Issend(&round, 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &request[2 * i]);
        MPI_Isend(buffer[i], LONG, MPI_INT, i + 1, 1, MPI_COMM_WORLD, &request[2 * i + 1]);
    }
    for (int left = 4; left > 0; left -= count) {
        MPI_Testsome(4, request, &count, index, MPI_STATUSES_IGNORE);
        vain += count == 0;
        for (int k = 0; k < count; k++)
            saw(index[k] + 4 * vain);
        usleep(20);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int i = 0; i < ROUNDS; i++) {
        int got;
        if (me == 0) {
            send(i);
            continue;
        }
        pause_perhaps();
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pause_perhaps();
        MPI_Recv(buffer[0], LONG, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return end();
}
