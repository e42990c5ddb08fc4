/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows on two communicators, made, named and freed in turns with communicators.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: 60
 */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 20 };

int main(int argc, char **argv)
{
    int rank;
    int sum = 0;
    int in[2] = {0, 0};
    MPI_Comm back;
    MPI_Comm copy;
    MPI_Win window[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &back);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Win_create(&in[0], sizeof(int), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window[0]);
        MPI_Comm_dup(back, &copy);
        MPI_Win_create(&in[1], sizeof(int), 1, MPI_INFO_NULL, copy, &window[1]);
        MPI_Win_set_name(window[1], "of a copy");
        MPI_Win_fence(0, window[1]);
        MPI_Win_fence(0, window[0]);
        MPI_Accumulate(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window[i % 2]);
        MPI_Win_fence(0, window[0]);
        MPI_Win_fence(0, window[1]);
        MPI_Win_free(&window[0]);
        MPI_Comm_free(&copy);
        MPI_Win_free(&window[1]);
    }
    sum = in[0] + in[1];
    if (rank == 0)
        printf("%d\n", sum);
    MPI_Comm_free(&back);
    MPI_Finalize();
    return 0;
}
