/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays with null requests, receives from MPI_PROC_NULL and inactive persistent requests, for
 * Waitany, Testany, Testsome, Waitsome and Testall; two receives from anybody are among them.
 *
 * RANKS: 3 */
#include "digest.h"

enum { ROUNDS = 10, SIZE = 6 };

static int got[SIZE];
static MPI_Request request[SIZE];
static MPI_Status status[SIZE];

static int complete(int how, int *index)
{
    int count = 0, flag = 1;

    if (how == 0)
        MPI_Waitany(SIZE, request, index, status);
    if (how == 1)
        MPI_Testany(SIZE, request, index, &flag, status);
    if (how < 2)
        return flag && *index != MPI_UNDEFINED;
    if (how == 2)
        MPI_Testsome(SIZE, request, &count, index, status);
    if (how == 3)
        MPI_Waitsome(SIZE, request, &count, index, status);
    return count;
}

static void receive(int round)
{
    int index[SIZE];

    request[0] = request[3] = MPI_REQUEST_NULL;
    MPI_Irecv(&got[1], 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Irecv(&got[4], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request[4]);
    MPI_Irecv(&got[5], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request[5]);
    for (int left = 3, count; round % 5 < 4 && left > 0; left -= count) {
        count = complete(round % 5, index);
        saw(count);
        for (int k = 0; k < count; k++) {
            saw(index[k]);
            saw_message(&status[k], got[index[k]]);
        }
        usleep(50);
    }
    for (int flag = round % 5 < 4; !flag; saw(flag))
        MPI_Testall(SIZE, request, &flag, status);
    MPI_Test(&request[2], &index[0], status); /* inactive: true at once */
    saw(index[0]);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Recv_init(&got[2], 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &request[2]);
    for (int i = 0; i < ROUNDS; i++) {
        pause_perhaps();
        if (me == 0)
            receive(i);
        else
            MPI_Send(&me, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Request_free(&request[2]);
    return end();
}
