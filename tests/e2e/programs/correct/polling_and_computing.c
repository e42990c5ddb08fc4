/* SPDX-License-Identifier: BSD-3-Clause */
/* Both ranks look for a message between short pieces of work. For seconds there is none.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: stopped by rank 0
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>

enum { TAG_STOP = 1, PIECE = 20000 };

static double work(double sum)
{
    for (int i = 1; i < PIECE; i++)
        sum += 1.0 / i;
    return sum;
}

static bool is_told_to_stop(void)
{
    int found = 0;

    MPI_Iprobe(0, TAG_STOP, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    return found;
}

int main(int argc, char **argv)
{
    int rank;
    int word = 0;
    volatile double sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double end = MPI_Wtime() + 3.5;
    while (rank == 0 ? MPI_Wtime() < end : !is_told_to_stop()) {
        sum = work(sum);
        if (rank == 0)
            is_told_to_stop();
    }
    if (rank == 0) {
        MPI_Send(&word, 1, MPI_INT, 1, TAG_STOP, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&word, 1, MPI_INT, 0, TAG_STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        puts("stopped by rank 0");
    }
    MPI_Finalize();
    return 0;
}
