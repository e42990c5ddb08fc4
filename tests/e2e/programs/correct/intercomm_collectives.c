/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives of an intercommunicator: rooted in one group, with MPI_ROOT and MPI_PROC_NULL, and
 * all to all, then point-to-point with a wildcard of the remote group.
 *
 * RANKS: 5
 * EXPECT: clean
 * OUTPUT: bcast 7, reduce 9, allreduce 1, gathered 9, from 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int world;
    int rank;
    int word = 7;
    int sum = 0;
    int all = 0;
    int in[3] = {0, 0, 0};
    int root;
    MPI_Comm side;
    MPI_Comm both;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    int first = world < 2; /* ranks 0 and 1 against 2, 3 and 4 */

    MPI_Comm_split(MPI_COMM_WORLD, first, 0, &side);
    MPI_Comm_rank(side, &rank);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, first ? 2 : 0, 1, &both);
    root = rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Bcast(&word, 1, MPI_INT, first ? root : 0, both);
    MPI_Reduce(&world, &sum, 1, MPI_INT, MPI_SUM, first ? root : 0, both);
    MPI_Allreduce(&world, &all, 1, MPI_INT, MPI_SUM, both);
    MPI_Gather(&world, 1, MPI_INT, in, 1, MPI_INT, first ? root : 0, both);
    MPI_Barrier(both);
    if (world == 1)
        MPI_Send(&world, 1, MPI_INT, 2, 3, both);
    if (world == 4) {
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, both, &status);
        MPI_Send(&all, 1, MPI_INT, 0, 4, both);
    }
    if (world == 0) {
        MPI_Recv(&all, 1, MPI_INT, MPI_ANY_SOURCE, 4, both, &status);
        printf("bcast %d, reduce %d, allreduce %d, gathered %d, from %d\n", word, sum, all,
               in[0] + in[1] + in[2], status.MPI_SOURCE - 1);
    }
    MPI_Comm_free(&both);
    MPI_Comm_free(&side);
    MPI_Finalize();
    return 0;
}
