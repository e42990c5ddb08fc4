/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks have different numbers of parts. Those that have fewer go on with calls that add nothing,
 * until all are through; in one loop the first call stands before it. A pipeline of barriers is
 * skewed by one round for each rank.
 *
 * RANKS: 3
 * EXPECT: clean
 */
#include <mpi.h>

enum { PARTS = 8, STEPS = 4 };

static void sum_up(int parts)
{
    double part = 1, none = 0, sum, all;
    int i = 0;

    do {
        MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    } while (++i < parts);
    do {
        MPI_Allreduce(&none, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    } while (++i < PARTS);
    MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&all, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void first_call_before(int is_early)
{
    double part = 1, sum;
    int i = 0;

    if (is_early) {
        MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        i++;
    }
    for (; i < PARTS; i++)
        MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void pipeline(int rank, int ranks)
{
    for (int i = 0; i <= rank; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < PARTS; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int i = rank; i < ranks; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int step = 0; step < STEPS; step++) {
        sum_up(2 + (rank / 2 + step) % 3);
        first_call_before(rank == 1);
        pipeline(rank, ranks);
    }
    MPI_Finalize();
    return 0;
}
