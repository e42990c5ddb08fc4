/* SPDX-License-Identifier: BSD-3-Clause */
/* A persistent buffered send is complete as soon as its message is in the buffer. Started again
 * while the library still keeps the message, the library may give the request another handle.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: received 0 1 2 3 4 5
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 3, WORDS = 100000, KINDS = 2 };

static void start(int round, MPI_Request *request)
{
    if (round % 2 == 0) {
        MPI_Startall(KINDS, request);
    } else {
        MPI_Start(&request[0]);
        MPI_Start(&request[1]);
    }
}

static void send(int *word)
{
    int size = 2 * KINDS * ROUNDS * ((int)sizeof(int) * WORDS + MPI_BSEND_OVERHEAD);
    void *buffer = malloc((size_t)size);
    MPI_Request request[KINDS];

    MPI_Buffer_attach(buffer, size);
    for (int i = 0; i < KINDS; i++)
        MPI_Bsend_init(&word[i * WORDS], WORDS, MPI_INT, 1, i, MPI_COMM_WORLD, &request[i]);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < KINDS; i++)
            word[i * WORDS] = round * KINDS + i;
        start(round, request);
        if (round == 1)
            MPI_Waitall(KINDS, request, MPI_STATUSES_IGNORE);
        for (int i = 0; round != 1 && i < KINDS; i++)
            MPI_Wait(&request[i], MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* the receives come afterwards */
    for (int i = 0; i < KINDS; i++)
        MPI_Request_free(&request[i]);
    MPI_Buffer_detach(&buffer, &size);
    free(buffer);
}

static void receive(int *word)
{
    MPI_Barrier(MPI_COMM_WORLD);
    printf("received");
    for (int i = 0; i < ROUNDS * KINDS; i++) {
        MPI_Recv(word, WORDS, MPI_INT, 0, i % KINDS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf(" %d", word[0]);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    static int word[KINDS * WORDS];
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        send(word);
    else
        receive(word);
    MPI_Finalize();
    return 0;
}
