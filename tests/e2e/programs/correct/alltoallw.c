/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Alltoallw with a datatype of its own for each partner.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 0.5 1.5
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double give[2] = {rank + 0.5, rank + 1.5};
    double take[2] = {0, 0};
    int count[2] = {1, 1};
    int place[2] = {0, sizeof(double)};
    MPI_Datatype type[2] = {MPI_DOUBLE, MPI_DOUBLE};

    MPI_Alltoallw(give, count, place, type, take, count, place, type, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.1f %.1f\n", take[0], take[1]);
    MPI_Finalize();
    return 0;
}
