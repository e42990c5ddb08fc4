/* SPDX-License-Identifier: BSD-3-Clause */
/* Two origins of one exposure epoch put the same bytes; and the target itself accesses bytes that
 * an origin puts (MPI-3.1 sections 11.5.2 and 11.7).
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: rma-conflict error
 * SAYS: rank 1 put bytes 0-3 of the window of rank 0 .* while rank 2 put bytes 0-3 of it
 * SAYS: Both ranks are in an epoch of MPI_Win_start
 * SAYS: rank 0 read bytes .* of the window of rank 0 as a buffer of MPI_Put .* while rank 1 put
 * SAYS: Rank 0 is in an epoch of a shared MPI_Win_lock, rank 1 in an epoch of MPI_Win_start
 * SAYS: orknot: 2 findings \(2 errors\)
 * SAYS_LINE: HERE
 */
#include <mpi.h>

static int rank, word = 1, *cell;
static MPI_Win win;
static MPI_Group origins, targets;

static void two_origins(void)
{
    if (rank == 0) {
        MPI_Win_post(origins, 0, win);
        MPI_Win_wait(win);
        return;
    }
    MPI_Win_start(targets, 0, win);
    MPI_Put(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* HERE */
    MPI_Win_complete(win);
}

/* The put of rank 0 reads its own window, which rank 1 updates. */
static void own_access(MPI_Win other)
{
    if (rank == 0) {
        MPI_Win_post(origins, 0, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, other);
        MPI_Put(cell + 1, 1, MPI_INT, 2, 0, 1, MPI_INT, other); /* HERE */
        MPI_Win_unlock(2, other);
        MPI_Win_wait(win);
        return;
    }
    MPI_Win_start(targets, 0, win);
    if (rank == 1)
        MPI_Put(&word, 1, MPI_INT, 0, 1, 1, MPI_INT, win); /* HERE */
    MPI_Win_complete(win);
}

int main(int argc, char **argv)
{
    const int first = 0;
    int *room;
    MPI_Group world;
    MPI_Win other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &first, &targets);
    MPI_Group_excl(world, 1, &first, &origins);
    MPI_Win_allocate(8 * sizeof(*cell), sizeof(*cell), MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    MPI_Win_allocate(sizeof(*room), sizeof(*room), MPI_INFO_NULL, MPI_COMM_WORLD, &room, &other);
    two_origins();
    MPI_Barrier(MPI_COMM_WORLD);
    own_access(other);
    MPI_Win_free(&other);
    MPI_Win_free(&win);
    MPI_Group_free(&origins);
    MPI_Group_free(&targets);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
