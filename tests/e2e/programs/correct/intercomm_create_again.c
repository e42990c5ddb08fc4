/* SPDX-License-Identifier: BSD-3-Clause */
/* Intercommunicators of the same groups again and again, with ranks that come late in turn, and a
 * merge of each.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: sum 36
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int sum = 0;
    int all = 0;
    MPI_Comm half;
    MPI_Comm both[6];
    MPI_Comm merged;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    for (int i = 0; i < 6; i++) {
        if (i % 4 == rank)
            usleep(10000);
        MPI_Intercomm_create(half, i % 2, MPI_COMM_WORLD, (rank < 2 ? 2 : 0) + i % 2, i / 2,
                             &both[i]);
    }
    for (int i = 5; i >= 0; i--) {
        MPI_Intercomm_merge(both[i], rank < 2, &merged);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, merged);
        all += sum;
        MPI_Barrier(both[i]);
        MPI_Comm_free(&merged);
        MPI_Comm_free(&both[i]);
    }
    if (rank == 0)
        printf("sum %d\n", all);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
