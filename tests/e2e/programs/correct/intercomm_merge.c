/* SPDX-License-Identifier: BSD-3-Clause */
/* Two halves talk over an intercommunicator, with messages and collectives, and are merged.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 9
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    int sum;
    MPI_Comm half;
    MPI_Comm both;
    MPI_Comm merged;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    out = rank + 1;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 5, &both);
    MPI_Sendrecv(&out, 1, MPI_INT, rank % 2, 0, &in, 1, MPI_INT, rank % 2, 0, both,
                 MPI_STATUS_IGNORE);
    MPI_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM, both);
    MPI_Bcast(&sum, 1, MPI_INT, rank >= 2 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, both);
    MPI_Intercomm_merge(both, rank < 2, &merged);
    MPI_Scan(&sum, &in, 1, MPI_INT, MPI_SUM, merged);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    if (rank == 0)
        printf("%d\n", in);
    MPI_Finalize();
    return 0;
}
