/* SPDX-License-Identifier: BSD-3-Clause */
/* Large send buffers that are changed as it is allowed (MPI-3.1 section 3.7.2): beside their
 * elements while the send is pending, after it is complete, between two rounds of a persistent
 * send, and after a reply if the request is freed before or after that (section 3.7.3).
 *
 * RANKS: 2
 * EXPECT: clean
 * EXIT: 0
 */
#include <mpi.h>

enum { INTS = 100000, ROWS = 1000, COLUMNS = 100, ROUNDS = 5 };

static int words[INTS], in[INTS], matrix[ROWS][COLUMNS];

static void change(void)
{
    for (int i = 0; i < INTS; i++)
        words[i]++;
}

static void beside(int peer, MPI_Datatype columns)
{
    MPI_Request request[2];

    MPI_Irecv(in, INTS, MPI_INT, peer, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(matrix, 1, columns, peer, 0, MPI_COMM_WORLD, &request[1]);
    for (int i = 0; i < ROWS; i++)
        for (int j = COLUMNS / 2; j < COLUMNS; j++)
            matrix[i][j]++;
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < ROWS; i++)
        matrix[i][0]++;
}

static void persistent(int peer)
{
    MPI_Request request[2];

    MPI_Recv_init(in, INTS, MPI_INT, peer, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Send_init(words, INTS, MPI_INT, peer, 1, MPI_COMM_WORLD, &request[1]);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Startall(2, request);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        change();
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
}

static void freed(int rank, int is_before)
{
    MPI_Request request;
    int reply = 0;

    if (rank == 0) {
        MPI_Isend(words, INTS, MPI_INT, 1, 2, MPI_COMM_WORLD, &request);
        if (is_before)
            MPI_Request_free(&request);
        MPI_Recv(&reply, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        change();
        if (!is_before)
            MPI_Request_free(&request);
    } else {
        MPI_Recv(in, INTS, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&reply, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Datatype columns;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(ROWS, COLUMNS / 2, COLUMNS, MPI_INT, &columns);
    MPI_Type_commit(&columns);
    for (int i = 0; i < ROUNDS; i++)
        beside(1 - rank, columns);
    persistent(1 - rank);
    for (int i = 0; i < ROUNDS; i++)
        freed(rank, i % 2);
    MPI_Type_free(&columns);
    MPI_Finalize();
    return 0;
}
