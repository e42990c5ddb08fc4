/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 has wildcard receives whose messages are there long before it waits for them. Three
 * barriers behind each: rank 0 sends after the first, and before the third the message has come. */
#include <mpi.h>
#include <unistd.h>

enum { MANY = 20 };

static int rank;

static void barriers(int n)
{
    while (n-- > 0)
        MPI_Barrier(MPI_COMM_WORLD);
}

static void give(int tag, int count)
{
    int x[3] = {1, 2, 3};

    barriers(1);
    if (rank == 0)
        MPI_Ssend(x, count, MPI_INT, 1, tag, MPI_COMM_WORLD);
    barriers(2);
}

static void take(void)
{
    MPI_Request q;
    int x[3];

    MPI_Irecv(x, 3, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &q);
    give(1, 2);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Irecv(x, 3, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &q);
    barriers(1);
    MPI_Wait(&q, MPI_STATUS_IGNORE); /* the call itself tells */
    MPI_Irecv(x, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &q);
    give(3, 3); /* too long: it has a source all the same */
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Irecv(x, 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &q);
    MPI_Cancel(&q);
    barriers(1);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Irecv(x, 3, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &q);
    MPI_Request_free(&q);
    give(5, 1);
}

static void take_again(void)
{
    MPI_Request q;
    int x[3];

    MPI_Recv_init(x, 3, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &q);
    barriers(1);
    for (int tag = 6; tag <= 7; tag++) {
        MPI_Start(&q);
        give(tag, 1);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
        barriers(1);
    }
    MPI_Request_free(&q);
}

static void take_many(void)
{
    MPI_Request q[MANY];
    int x[MANY];

    for (int i = 0; i < MANY; i++)
        MPI_Irecv(&x[i], 1, MPI_INT, MPI_ANY_SOURCE, 100 + i, MPI_COMM_WORLD, &q[i]);
    barriers(5);
    MPI_Waitall(MANY, q, MPI_STATUSES_IGNORE);
}

/* MPI_Pcontrol makes the leaf ask. */
static void be_asked(void)
{
    MPI_Request q[2];
    MPI_Request out;
    int flag;
    int x[3];

    MPI_Irecv(&x[0], 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &q[0]);
    MPI_Irecv(&x[1], 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &q[1]);
    barriers(1);
    for (int i = 0; i < 30; i++) {
        usleep(10000);
        MPI_Pcontrol(1);
        MPI_Test(&q[1], &flag, MPI_STATUS_IGNORE);
    }
    MPI_Isend(&x[2], 1, MPI_INT, 0, 10, MPI_COMM_WORLD, &out);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    MPI_Wait(&out, MPI_STATUS_IGNORE);
}

static void serve(void)
{
    int x[3] = {1, 2, 3};

    give(1, 2);
    barriers(1);
    MPI_Ssend(x, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    give(3, 3);
    barriers(1);
    give(5, 1);
    barriers(1);
    for (int tag = 6; tag <= 7; tag++) {
        give(tag, 1);
        barriers(1);
    }
    barriers(1);
    for (int i = 0; i < MANY; i++)
        MPI_Ssend(x, 1, MPI_INT, 1, 100 + i, MPI_COMM_WORLD);
    barriers(5);
    MPI_Ssend(x, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
    MPI_Recv(x, 1, MPI_INT, 1, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(x, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        serve();
    } else {
        take();
        take_again();
        take_many();
        be_asked();
    }
    MPI_Finalize();
    return 0;
}
