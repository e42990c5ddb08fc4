/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank looks for messages until it is time for the next step, and computes nothing.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: all are through
 */
#include <mpi.h>
#include <stdio.h>

enum { TAG = 1, SECONDS = 7 };

int main(int argc, char **argv)
{
    int rank;
    int found = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double end = MPI_Wtime() + SECONDS;
    while (!found && MPI_Wtime() < end)
        MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        puts("all are through");
    MPI_Finalize();
    return 0;
}
