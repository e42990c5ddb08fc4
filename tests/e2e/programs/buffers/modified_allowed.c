/* SPDX-License-Identifier: BSD-3-Clause */
/* Small buffers are changed as soon as each of the calls that complete their operations allows it,
 * more often than without exception they are compared. The loops do something else now and then, so
 * that not all calls have templates.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>
#include <stddef.h>

enum { ROUNDS = 3000 };

static int rank, other;
static MPI_Win win;

static void complete(MPI_Request *request, int how)
{
    int flag = 0, index;

    if (how == 0)
        MPI_Wait(request, MPI_STATUS_IGNORE);
    else if (how == 1)
        MPI_Waitall(1, request, MPI_STATUSES_IGNORE);
    else if (how == 2)
        MPI_Waitany(1, request, &index, MPI_STATUS_IGNORE);
    else if (how == 3)
        MPI_Waitsome(1, request, &flag, &index, MPI_STATUSES_IGNORE);
    while (how == 4 && !flag)
        MPI_Test(request, &flag, MPI_STATUS_IGNORE);
    while (how == 5 && !flag)
        MPI_Request_get_status(*request, &flag, MPI_STATUS_IGNORE);
}

static void send(int round, int *word)
{
    MPI_Request request[2];
    int in;

    MPI_Irecv(&in, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request[0]);
    if (round % 7 == 3)
        MPI_Issend(word, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request[1]);
    else
        MPI_Isend(word, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    complete(&request[1], round / 3 % 6);
    ++*word;
    if (request[1] != MPI_REQUEST_NULL)
        MPI_Wait(&request[1], MPI_STATUS_IGNORE);
}

static void freed(int *word)
{
    MPI_Request request;
    int in;

    MPI_Isend(word, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Recv(&in, 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD); /* the other rank has it */
    ++*word;
}

static void accumulate(int round, int *word)
{
    MPI_Request request;

    if (round % 4 == 3) {
        MPI_Raccumulate(word, 1, MPI_INT, other, 0, 1, MPI_INT, MPI_SUM, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        ++*word;
        return;
    }
    MPI_Accumulate(word, 1, MPI_INT, other, 0, 1, MPI_INT, MPI_SUM, win);
    if (round % 4 == 0)
        MPI_Win_flush(other, win);
    else if (round % 4 == 1)
        MPI_Win_flush_local(other, win);
    else
        MPI_Win_flush_local_all(win);
    ++*word;
}

int main(int argc, char **argv)
{
    int word = 0, *memory;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    for (int i = 0; i < ROUNDS; i++) {
        send(i, &word);
        if (i % 100 == 0)
            freed(&word);
    }
    MPI_Win_allocate(sizeof(*memory), sizeof(*memory), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &win);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < ROUNDS; i++)
        accumulate(i, &word);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
