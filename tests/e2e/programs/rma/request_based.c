/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of MPI_Rput and MPI_Rget beside those of messages in one MPI_Waitall.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 119 100
 */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 20 };

int main(int argc, char **argv)
{
    int rank;
    int peer;
    int cell[ROUNDS + 1] = {0};
    int got = 0;
    int in = 0;
    int out = 0;
    MPI_Request request[4];
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    MPI_Win_create(cell, sizeof(cell), sizeof(*cell), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock_all(0, window);
    for (int i = 0; i < ROUNDS; i++) {
        out = 100 * rank + i;
        MPI_Irecv(&in, 1, MPI_INT, peer, i, MPI_COMM_WORLD, &request[0]);
        MPI_Rput(&out, 1, MPI_INT, peer, i, 1, MPI_INT, window, &request[1]);
        MPI_Isend(&out, 1, MPI_INT, peer, i, MPI_COMM_WORLD, &request[2]);
        MPI_Rget(&got, 1, MPI_INT, peer, ROUNDS, 1, MPI_INT, window, &request[3]);
        MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    }
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d %d\n", in, cell[0]);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
