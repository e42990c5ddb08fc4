/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 receives inside its access epoch what rank 1 sends after the exposure epoch.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv HERE
 * CALL: 1 MPI_Win_wait HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int peer;
    int in = 0;
    int out = 1;
    int cell = 0;
    MPI_Win window;
    MPI_Group world;
    MPI_Group other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &other);
    MPI_Win_create(&cell, sizeof(cell), sizeof(cell), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 0) {
        MPI_Win_start(other, 0, window);
        MPI_Recv(&in, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
        MPI_Win_complete(window);
    } else {
        MPI_Win_post(other, 0, window);
        MPI_Win_wait(window); /* HERE */
        MPI_Send(&out, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
