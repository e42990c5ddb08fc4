/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads and stores that look wrong and are right: a send buffer is read while the send is pending
 * (MPI-3.1 section 3.7.2); neighbours of a pending buffer, and the gaps between the blocks that
 * MPI_Ialltoallv receives, are changed; a buffer is used again after MPI_Wait, MPI_Testall and
 * MPI_Request_get_status, and between two starts of a persistent operation; a message to
 * MPI_PROC_NULL; a reduction operation of the program, which the library calls for the pending
 * MPI_Iallreduce, works on its buffers.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: the sum is 165
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INTS = 1000 };

static int rank, sum;
static int words[3 * INTS];

static void read_what_is_sent(int peer)
{
    MPI_Request request[2];

    MPI_Irecv(words + INTS, INTS, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(words, INTS, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[1]);
    for (int i = 0; i < INTS; i++)
        sum += words[i];
    memcpy(words + 2 * INTS, words, INTS * sizeof(int));
    for (int i = 0; i < INTS; i++)
        words[2 * INTS + i]++;
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2 * INTS; i++)
        words[i] = 1;
}

static void change_neighbours(int peer)
{
    MPI_Request request[2];

    MPI_Irecv(words + 1, 2, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(words + 4, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &request[1]);
    words[0] = words[3] = words[5] = rank;
    *((char *)words + 3) = 1;
    MPI_Send(words + 6, 2, MPI_INT, peer, 0, MPI_COMM_WORLD);
    MPI_Recv(words + 7, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

static void change_gaps(void)
{
    const int count[2] = {10, 10}, from[2] = {0, 10}, to[2] = {100, 120};
    MPI_Request request;

    MPI_Ialltoallv(words, count, from, MPI_INT, words, count, to, MPI_INT, MPI_COMM_WORLD,
                   &request);
    for (int i = 110; i < 120; i++)
        words[i] = i;
    words[99] = words[130] = words[110];
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void complete_in_other_ways(int peer)
{
    MPI_Request request[2];
    int flag = 0;

    MPI_Irecv(words, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(words + 1, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[1]);
    while (!flag)
        MPI_Testall(2, request, &flag, MPI_STATUSES_IGNORE);
    words[0] = words[1] = 2;
    MPI_Irecv(words, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Send(words + 1, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
    for (flag = 0; !flag;)
        MPI_Request_get_status(request[0], &flag, MPI_STATUS_IGNORE);
    words[0] = 3;
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Isend(words, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[0]);
    words[0] = 4;
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
}

static void start_again(int peer)
{
    MPI_Request request[2];

    MPI_Recv_init(words, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Send_init(words + 1, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[1]);
    for (int i = 0; i < 5; i++) {
        words[1] = i + words[0];
        MPI_Startall(2, request);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const int *from = in;
    int *to = inout;

    (void)type;
    for (int i = 0; i < *count; i++)
        to[i] += from[i];
}

static void reduce(void)
{
    MPI_Request request;
    MPI_Op op;
    int flag = 0;

    MPI_Op_create(add, 1, &op);
    for (int i = 0; i < 10; i++)
        words[i] = (i + 1) * (rank + 1);
    MPI_Iallreduce(words, words + 10, 10, MPI_INT, op, MPI_COMM_WORLD, &request);
    while (!flag)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    for (int i = sum = 0; i < 10; i++)
        sum += words[10 + i];
    MPI_Op_free(&op);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    read_what_is_sent(1 - rank);
    change_neighbours(1 - rank);
    change_gaps();
    complete_in_other_ways(1 - rank);
    start_again(1 - rank);
    reduce();
    if (rank == 0)
        printf("the sum is %d\n", sum);
    MPI_Finalize();
    return 0;
}
