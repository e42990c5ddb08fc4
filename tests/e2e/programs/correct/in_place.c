/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives that work in the receive buffer.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 40 40 40 40
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int all[4] = {0};

    all[rank] = rank + 1;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, all, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Reduce(MPI_IN_PLACE, all, 4, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    else
        MPI_Reduce(all, NULL, 4, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Scan(MPI_IN_PLACE, all, 4, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d %d %d %d\n", all[0], all[1], all[2], all[3]);
    MPI_Finalize();
    return 0;
}
