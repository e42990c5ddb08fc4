/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses of buffers that look wrong and are right: two sends of one buffer at the same time, and a
 * third one by a blocking call (allowed since MPI-2.2, see MPI-3.1 section 3.7.2); neighbours
 * without a common byte; no elements; MPI_PROC_NULL; a buffer that is used again after its request
 * is complete by MPI_Wait, MPI_Waitany, MPI_Testsome and MPI_Request_get_status, by a cancelled
 * receive, or by a send that was freed and is known to have arrived.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>
#include <stddef.h>

enum { INTS = 100000 };
static int words[2 * INTS], others[2 * INTS];

static void read_at_the_same_time(int peer)
{
    MPI_Request request[4];

    MPI_Irecv(others, INTS, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(others + INTS, INTS, MPI_INT, peer, 1, MPI_COMM_WORLD, &request[1]);
    MPI_Isend(words, INTS, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[2]);
    MPI_Isend(words, INTS, MPI_INT, peer, 1, MPI_COMM_WORLD, &request[3]);
    MPI_Sendrecv(words, 1, MPI_INT, peer, 2, words + INTS, 1, MPI_INT, peer, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
}

static void nothing_is_touched(int peer)
{
    MPI_Request request[4];

    MPI_Irecv(words, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(words, 0, MPI_INT, peer, 1, MPI_COMM_WORLD, &request[1]);
    MPI_Irecv(words, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[2]);
    MPI_Isend(words, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[3]);
    MPI_Send(words, 0, MPI_INT, peer, 1, MPI_COMM_WORLD);
    MPI_Sendrecv(words, 1, MPI_INT, MPI_PROC_NULL, 0, words, 1, MPI_INT, MPI_PROC_NULL, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(others, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
}

/* Starts a receive into words[0] whose message is on its way. */
static void receive(int peer, MPI_Request *request)
{
    MPI_Irecv(words, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, request);
    MPI_Send(others, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
}

static void complete_in_each_way(int peer)
{
    MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int index, indices[2], count, flag = 0;

    for (int i = 0; i < 3; i++) {
        receive(peer, &request[0]);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
        receive(peer, &request[1]);
        MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
        receive(peer, &request[0]);
        do {
            MPI_Testsome(2, request, &count, indices, MPI_STATUSES_IGNORE);
        } while (count == 0);
        receive(peer, &request[0]);
        do {
            MPI_Request_get_status(request[0], &flag, MPI_STATUS_IGNORE);
        } while (!flag);
        receive(peer, &request[1]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Irecv(words, 1, MPI_INT, peer, 7, MPI_COMM_WORLD, &request[0]);
    MPI_Cancel(&request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    receive(peer, &request[1]);
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
}

static void free_a_send(int peer)
{
    MPI_Request request;

    for (int count = 1; count <= INTS; count += INTS - 1) {
        MPI_Isend(words, count, MPI_INT, peer, 0, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        MPI_Recv(others, count, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD); /* both messages have arrived */
        MPI_Sendrecv(others, 1, MPI_INT, peer, 1, words, 1, MPI_INT, peer, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    read_at_the_same_time(1 - rank);
    nothing_is_touched(1 - rank);
    complete_in_each_way(1 - rank);
    free_a_send(1 - rank);
    MPI_Finalize();
    return 0;
}
