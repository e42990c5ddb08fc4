/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of collective calls in place that the call does not access, and others access them: the
 * own block of MPI_Gather, MPI_Scatter and MPI_Alltoall. MPI_Allgather only reads the own block, so
 * others may get it. (Nobody may access the receive buffer of a pending call: section 5.12.) A
 * neighbour that is not there has a block that is not accessed. What is ordered by the call or a
 * barrier (MPI-3.1 section 11.7).
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>
#include <stddef.h>

enum { BLOCK = 4 };

static int rank, word[2 * BLOCK], *memory;
static MPI_Win win;
static MPI_Comm line;

static int *buffer(void)
{
    return rank == 1 ? memory : word;
}

/* The other rank accesses a block of rank 1. */
static void put(int block)
{
    static const int value[BLOCK] = {1, 2, 3, 4};

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(value, BLOCK, MPI_INT, 1, block * BLOCK, BLOCK, MPI_INT, win);
}

static void get(void)
{
    static int value[BLOCK];

    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Get(value, BLOCK, MPI_INT, 1, BLOCK, BLOCK, MPI_INT, win);
}

static void own_block(void)
{
    const int counts[] = {BLOCK, BLOCK}, displs[] = {0, BLOCK};
    int in[BLOCK];

    put(1);
    MPI_Gather(rank == 1 ? MPI_IN_PLACE : word, BLOCK, MPI_INT, buffer(), BLOCK, MPI_INT, 1,
               MPI_COMM_WORLD);
    put(1);
    MPI_Scatterv(buffer(), counts, displs, MPI_INT, rank == 1 ? MPI_IN_PLACE : in, BLOCK, MPI_INT,
                 1, MPI_COMM_WORLD);
    put(1);
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_INT, buffer(), counts, displs, MPI_INT,
                  MPI_COMM_WORLD);
    get();
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, buffer(), BLOCK, MPI_INT, MPI_COMM_WORLD);
    MPI_Win_fence(0, win);
}

/* Rank 1 has no neighbour after it: of its two blocks, the second one is left alone. */
static void no_neighbor(void)
{
    static int out[2 * BLOCK];

    put(1);
    MPI_Neighbor_alltoall(out, BLOCK, MPI_INT, buffer(), BLOCK, MPI_INT, line);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

/* The put comes before the call at its rank, and the call tells rank 1 of it. */
static void ordered(void)
{
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(word, BLOCK, MPI_INT, 1, 0, BLOCK, MPI_INT, win);
        MPI_Win_unlock(1, win);
    }
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, buffer(), BLOCK, MPI_INT, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(word, 2 * BLOCK, MPI_INT, 1, 0, 2 * BLOCK, MPI_INT, win);
        MPI_Win_unlock(1, win);
    }
}

int main(int argc, char **argv)
{
    const int dims[] = {2}, periods[] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &line);
    MPI_Win_allocate(2 * BLOCK * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &win);
    for (int i = 0; i < 2 * BLOCK; i++)
        memory[i] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    own_block();
    no_neighbor();
    ordered();
    MPI_Win_free(&win);
    MPI_Comm_free(&line);
    MPI_Finalize();
    return 0;
}
