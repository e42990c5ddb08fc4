/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads and stores in the separate memory model: before and after the calls that make the private
 * copy of rank 0 and the public one equal. A word at the end of a line names the event of this line
 * for test_copies.py. */
#include <mpi.h>

static int word, *memory;
static volatile int seen;
static MPI_Win win;

static void tell(int from, int to, int rank)
{
    if (rank == from)
        MPI_Send(NULL, 0, MPI_INT, to, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(NULL, 0, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void owner(void)
{
    memory[0] = 1; /* store */
    tell(0, 1, 0);
    MPI_Win_sync(win); /* sync */
    tell(0, 1, 0);
    tell(1, 0, 0);
    seen = memory[1]; /* early */
    MPI_Win_sync(win);
    seen = memory[1]; /* late */
}

static void other(void)
{
    tell(0, 1, 1);
    MPI_Get(&word, 1, MPI_INT, 0, 2, 1, MPI_INT, win); /* told */
    tell(0, 1, 1);
    MPI_Put(&word, 1, MPI_INT, 0, 1, 1, MPI_INT, win); /* put */
    MPI_Win_flush(0, win);
    tell(1, 0, 1);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(3 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        owner();
    else
        other();
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
