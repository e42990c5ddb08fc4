/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages too large for buffering, in both directions, with the receives posted first.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 3899994
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Request request[1];
    long sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int n = 300000;
    int *give = calloc((size_t)n, sizeof(*give));
    int *take = calloc((size_t)n, sizeof(*take));

    if (give == NULL || take == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < n; i++)
        give[i] = rank * 7 + i % 13;
    for (int step = 0; step < 4; step++) {
        MPI_Irecv(take, n, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Send(give, n, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < n; i++)
        sum += take[i];
    if (rank == 0)
        printf("%ld\n", sum);
    free(give);
    free(take);
    MPI_Finalize();
    return 0;
}
