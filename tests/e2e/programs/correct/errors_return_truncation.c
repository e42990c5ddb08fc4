/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that are too long for their receives, completed by every kind of completion call: the
 * receive fails, its message is consumed, and the program goes on.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: truncation warning
 * OUTPUT: 7 truncated, got 9
 */
#include <mpi.h>
#include <stdio.h>

static int truncated;

static void count(int code)
{
    int class;

    MPI_Error_class(code, &class);
    truncated += class == MPI_ERR_TRUNCATE;
}

static void receive(void)
{
    int in;
    int index;
    int flag = 0;
    int done[2];
    MPI_Request request[2];
    MPI_Status status[2];
    MPI_Message message;

    count(MPI_Recv(&in, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request[0]);
    count(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
    MPI_Irecv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[0]);
    while (!flag)
        index = MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
    count(index);
    MPI_Irecv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(&in, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request[1]);
    if (MPI_Waitall(2, request, status) == MPI_ERR_IN_STATUS) {
        count(status[0].MPI_ERROR);
        count(status[1].MPI_ERROR);
    }
    MPI_Irecv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[0]);
    if (MPI_Waitsome(1, request, &index, done, status) == MPI_ERR_IN_STATUS)
        count(status[0].MPI_ERROR);
    MPI_Mprobe(1, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    count(MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int pair[2] = {9, 10};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        receive();
        MPI_Recv(&in, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("%d truncated, got %d\n", truncated, in);
    } else {
        for (int i = 0; i < 7; i++)
            MPI_Send(pair, 2, MPI_INT, 0, i == 4, MPI_COMM_WORLD);
        MPI_Send(pair, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
