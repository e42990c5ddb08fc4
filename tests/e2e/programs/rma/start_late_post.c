/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 waits for a message before it posts; rank 0 sends it after its access epoch.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 1 MPI_Recv HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int peer;
    int in = 0;
    int out = 1;
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
    if (rank == 0) {
        MPI_Win_start(other, 0, window);
        MPI_Put(&out, 1, MPI_INT, peer, 0, 1, MPI_INT, window);
        MPI_Win_complete(window);
        MPI_Send(&out, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&in, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
        MPI_Win_post(other, 0, window);
        MPI_Win_wait(window);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
