/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of collective calls in place, and of calls of neighbours, in the memory of a window, while
 * another rank puts into them and nothing orders the two (MPI-3.1 section 11.7): the blocks of
 * others are written; MPI_Allgather reads the own block, and MPI_Scatter the blocks of others.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: rma-conflict error
 * FINDING: rma-conflict warning
 * SAYS: error: rma-conflict: rank 0 put bytes 0-11 of the window of rank 1 \(in_place_wrong.c:\d+\) while rank 1 wrote bytes 0-15 of it as a buffer of MPI_Allgather \(in_place_wrong.c:\d+\): nothing orders them
 * SAYS: error: rma-conflict: rank 0 put bytes 32-43 of the window of rank 1 .* while rank 1 wrote bytes 32-47 of it as a buffer of MPI_Gatherv
 * SAYS: error: rma-conflict: rank 0 put bytes 64-75 of the window of rank 1 .* while rank 1 wrote bytes 64-79 of it as a buffer of MPI_Alltoall
 * SAYS: error: rma-conflict: rank 0 put bytes 96-107 of the window of rank 1 .* while rank 1 wrote bytes 96-127 of it as a buffer of MPI_Iallgather
 * SAYS: error: rma-conflict: rank 0 put bytes 128-139 of the window of rank 1 .* while rank 1 wrote bytes 128-159 of it as a buffer of MPI_Neighbor_alltoall
 * SAYS: warning: rma-conflict: rank 0 put bytes 176-187 of the window of rank 1 .* while rank 1 read bytes 176-191 of it as a buffer of MPI_Allgather
 * SAYS: warning: rma-conflict: rank 0 put bytes 192-203 of the window of rank 1 .* while rank 1 read bytes 192-207 of it as a buffer of MPI_Scatter
 * SAYS: warning: rma-conflict: rank 0 put bytes 224-235 of the window of rank 1 .* while rank 1 read bytes 224-239 of it as a buffer of MPI_Neighbor_allgather
 * SAYS: orknot: 8 findings \(5 errors\)
 * SAYS_LINE: HERE
 */
#include <mpi.h>

enum { BLOCK = 4, PART = 2 * BLOCK };

static int rank, word[PART], out[PART], source[3], *memory;
static MPI_Win win;
static MPI_Comm all = MPI_COMM_WORLD, ring;

/* Of the buffer with this number. */
static void put(int number, int block)
{
    MPI_Put(source, 3, MPI_INT, 1, number * PART + block * BLOCK, 3, MPI_INT, win); /* HERE */
}

static void put_under_lock(int number)
{
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        put(number, 0);
        MPI_Win_unlock(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static int *buffer(int number)
{
    return rank == 1 ? memory + number * PART : word;
}

static void write_blocks_of_others(void)
{
    static const int counts[] = {BLOCK, BLOCK}, displs[] = {0, BLOCK};
    void *own = rank == 1 ? MPI_IN_PLACE : word;
    MPI_Request request;

    MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, buffer(0), BLOCK, MPI_INT, all); /* HERE */
    put_under_lock(0);
    MPI_Gatherv(own, BLOCK, MPI_INT, buffer(1), counts, displs, MPI_INT, 1, all); /* HERE */
    put_under_lock(1);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, buffer(2), BLOCK, MPI_INT, all); /* HERE */
    put_under_lock(2);
    MPI_Iallgather(MPI_IN_PLACE, 0, MPI_INT, buffer(3), BLOCK, MPI_INT, all, &request); /* HERE */
    put_under_lock(3);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Neighbor_alltoall(out, BLOCK, MPI_INT, buffer(4), BLOCK, MPI_INT, ring); /* HERE */
    put_under_lock(4);
}

static void read_blocks(void)
{
    int in[PART];
    void *own = rank == 1 ? MPI_IN_PLACE : in;

    MPI_Win_fence(0, win);
    if (rank == 0)
        put(5, 1);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, buffer(5), BLOCK, MPI_INT, all); /* HERE */
    if (rank == 0)
        put(6, 0);
    MPI_Scatter(buffer(6), BLOCK, MPI_INT, own, BLOCK, MPI_INT, 1, all); /* HERE */
    if (rank == 0)
        put(7, 0);
    MPI_Neighbor_allgather(buffer(7), BLOCK, MPI_INT, in, BLOCK, MPI_INT, ring); /* HERE */
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

int main(int argc, char **argv)
{
    const int dims[] = {2}, periods[] = {1};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
    MPI_Win_allocate(8 * PART * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &win);
    for (int i = 0; i < 8 * PART; i++)
        memory[i] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    write_blocks_of_others();
    read_blocks();
    MPI_Win_free(&win);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
