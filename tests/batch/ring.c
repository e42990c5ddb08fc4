/* SPDX-License-Identifier: BSD-3-Clause */
/* A token goes round a ring; the argument says what goes wrong: nothing, deadlock, crash, leak,
 * sleep. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int pass_on(int token, int left, int right)
{
    int received = 0;

    MPI_Sendrecv(&token, 1, MPI_INT, right, 0, &received, 1, MPI_INT, left, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    return received;
}

static void go_wrong(const char *how, int rank, int left)
{
    static int never;
    MPI_Request request;

    if (strcmp(how, "deadlock") == 0)
        MPI_Recv(&never, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(how, "crash") == 0)
        abort();
    if (strcmp(how, "leak") == 0 && rank == 0)
        MPI_Irecv(&never, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &request);
    if (strcmp(how, "sleep") == 0)
        sleep(60);
}

int main(int argc, char **argv)
{
    int rank;
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size;
    int token = rank;
    for (int i = 0; i < size; i++)
        token = pass_on(token, left, (rank + 1) % size);
    go_wrong(argc > 1 ? argv[1] : "", rank, left);
    MPI_Finalize();
    if (rank == 0)
        printf("token %d\n", token);
    return 0;
}
