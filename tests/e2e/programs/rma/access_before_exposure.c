/* SPDX-License-Identifier: BSD-3-Clause */
/* Both ranks do their access epoch first and expose their window afterwards.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int peer;
    int *cell;
    MPI_Win window;
    MPI_Group world;
    MPI_Group other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &other);
    MPI_Win_allocate(sizeof(*cell), sizeof(*cell), MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &window);
    MPI_Win_start(other, 0, window);
    MPI_Win_complete(window);
    MPI_Win_post(other, 0, window);
    MPI_Win_wait(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
