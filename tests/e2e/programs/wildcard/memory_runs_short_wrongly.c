/* SPDX-License-Identifier: BSD-3-Clause */
/* As memory_runs_short.c, but both other ranks have sent to rank 1, and which message it has is
 * told only after one was assumed. Whatever was assumed, nothing is wrong with the program.
 *
 * RANKS: 3
 * OPTIONS: --must:queue-limit 1
 * EXPECT: clean
 * SAYS: memory ran short
 */
#include <mpi.h>
#include <fcntl.h>
#include <unistd.h>

enum { ROUNDS = 20000, PATIENCE = 500 };

/* In the folder of the run: rank 0 has done its rounds, and the tool may know of them. */
static const char done[] = "memory_runs_short.done";

static void say_done(void)
{
    close(open(done, O_WRONLY | O_CREAT, 0600));
}

static void wait_until_done(void)
{
    for (int i = 0; i < PATIENCE && access(done, F_OK) != 0; i++)
        usleep(50000);
    unlink(done);
    usleep(500000);
}

/* A first message over a network may need its receiver's help. */
static void connect_all(int rank)
{
    int value = 0;

    for (int other = 0; rank == 1 && other <= 2; other += 2)
        MPI_Recv(&value, 1, MPI_INT, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank != 1)
        MPI_Send(&value, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, value = 0, other = 0;
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    connect_all(rank);
    if (rank == 1) {
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request);
        wait_until_done();
        MPI_Wait(&request, &status);
        MPI_Recv(&value, 1, MPI_INT, 2 - status.MPI_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        usleep(rank == 0 ? 300000 : 0);
        MPI_Send(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
        for (int i = 0; i < ROUNDS; i++)
            MPI_Sendrecv(&value, 1, MPI_INT, 2 - rank, 0, &other, 1, MPI_INT, 2 - rank, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 0)
            say_done();
    }
    MPI_Finalize();
    return 0;
}
