/* SPDX-License-Identifier: BSD-3-Clause */
/* Without an option, too, small buffers are compared: rank 0 changes those of a send, of a
 * persistent send, of a collective call and of a put before they are complete (MPI-3.1 sections
 * 3.7.2, 3.9, 5.12 and 11.3). The put reads a local variable of a function that returns.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-modified error
 * SAYS: the send buffer of MPI_Isend \(modified_small.c:\d+\) of rank 0 was changed before the send was complete
 * SAYS: the send buffer of MPI_Start \(modified_small.c:\d+\) of rank 0 was changed before the send was complete
 * SAYS: the send buffer of MPI_Ibcast \(modified_small.c:\d+\) of rank 0 was changed before the send was complete
 * SAYS: the origin buffer of MPI_Put \(modified_small.c:\d+\) of rank 0 was changed before the call was complete at the origin
 * EXIT: 66
 */
#include <mpi.h>

static int rank;
static MPI_Win win;

static void point_to_point(void)
{
    int word = 1, other;
    MPI_Request request;

    if (rank == 1) {
        for (int i = 0; i < 2; i++)
            MPI_Recv(&other, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    MPI_Isend(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    word = 2;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send_init(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
    word = 3;
    MPI_Start(&request);
    word = 4;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

static void collective(void)
{
    int words[3] = {1, 2, 3};
    MPI_Request request;

    MPI_Ibcast(words, 3, MPI_INT, 0, MPI_COMM_WORLD, &request);
    if (rank == 0)
        words[2] = 4;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void put(int number)
{
    volatile int word = number;

    MPI_Put((const int *)&word, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    word = -number;
}

int main(int argc, char **argv)
{
    int *memory;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(*memory), sizeof(*memory), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &win);
    point_to_point();
    collective();
    MPI_Win_fence(0, win);
    if (rank == 0)
        put(1);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
