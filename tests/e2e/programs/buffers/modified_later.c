/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers are changed as soon as that is allowed: that of a send after its completion, that of a
 * persistent send between two rounds, that of a pending send beside its elements, that of a receive
 * by the message, and the memory of a send that is complete is unmapped.
 *
 * RANKS: 2
 * EXPECT: clean
 * OPTIONS: --must:check-buffers
 */
#include <mpi.h>
#include <stddef.h>
#include <sys/mman.h>

enum { INTS = 100000, BYTES = 8 * INTS + 4 };

static void nonblocking(int peer)
{
    int *words = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MPI_Request request[2];

    for (int count = 1; count <= INTS; count += INTS - 1) {
        for (int i = 0; i < 3; i++) {
            MPI_Irecv(words + INTS + 1, count, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[0]);
            MPI_Isend(words, count, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[1]);
            words[count]++;
            MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
            words[0]++;
            words[INTS + 1]++;
        }
    }
    munmap(words, BYTES);
}

static void persistent(int peer)
{
    int sent[4] = {0}, received[4];
    MPI_Request request[2];

    MPI_Send_init(sent, 4, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Recv_init(received, 4, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[1]);
    for (int i = 0; i < 3; i++) {
        sent[i]++;
        MPI_Startall(2, request);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    nonblocking(1 - rank);
    persistent(1 - rank);
    MPI_Finalize();
    return 0;
}
