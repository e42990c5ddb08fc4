/* SPDX-License-Identifier: BSD-3-Clause */
/* One access epoch at rank 0, one exposure epoch at rank 1.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: got 7
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int peer;
    int in = 0;
    int out = 7;
    MPI_Win window;
    MPI_Group world;
    MPI_Group other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &other);
    MPI_Win_create(&in, sizeof(in), sizeof(in), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 0) {
        MPI_Win_start(other, 0, window);
        MPI_Put(&out, 1, MPI_INT, peer, 0, 1, MPI_INT, window);
        MPI_Win_complete(window);
    } else {
        MPI_Win_post(other, 0, window);
        MPI_Win_wait(window);
        printf("got %d\n", in);
    }
    MPI_Win_free(&window);
    MPI_Group_free(&other);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
