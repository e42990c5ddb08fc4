/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that passes MPI_UNDEFINED takes part in MPI_Comm_split and gets MPI_COMM_NULL.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: no communicator
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    MPI_Comm part;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 2 ? MPI_UNDEFINED : 0, -rank, &part);
    if (part != MPI_COMM_NULL) {
        MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, part);
        MPI_Comm_free(&part);
    } else {
        printf("no communicator\n");
    }
    MPI_Finalize();
    return 0;
}
