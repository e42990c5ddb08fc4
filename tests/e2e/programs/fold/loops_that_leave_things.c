/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops that change what there is: requests are made and not completed, communicators are not
 * freed, messages pile up before they are received. Before each, a loop that changes nothing.
 *
 * RANKS: 2
 * FOLDS: yes
 * EXPECT: no-deadlock
 * FINDING: request-leak warning
 * FINDING: resource-leak warning
 * SAYS: 50 persistent requests of MPI_Send_init
 * SAYS: 50 communicators of MPI_Comm_dup
 * SAYS_LINE: REQUEST
 * SAYS_LINE: COMM
 */
#include <mpi.h>

enum { ITERATIONS = 10000, SOME = 50 };

static int other;

static void exchange(int times)
{
    int out = 0;
    int in;

    for (int i = 0; i < times; i++)
        MPI_Sendrecv(&out, 1, MPI_INT, other, 0, &in, 1, MPI_INT, other, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    static int buffer[SOME];
    MPI_Request request;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &other);
    other = 1 - other;
    exchange(ITERATIONS);
    for (int i = 0; i < SOME; i++) {
        MPI_Send_init(&buffer[i], 1, MPI_INT, other, 1, MPI_COMM_WORLD, &request); /* REQUEST */
        exchange(1);
    }
    exchange(ITERATIONS);
    for (int i = 0; i < SOME; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm); /* COMM */
        exchange(1);
    }
    exchange(ITERATIONS);
    for (int i = 0; i < SOME; i++) {
        MPI_Isend(&buffer[i], 1, MPI_INT, other, 2, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
    }
    for (int i = 0; i < SOME; i++)
        MPI_Recv(&buffer[i], 1, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    exchange(ITERATIONS);
    MPI_Finalize();
    return 0;
}
