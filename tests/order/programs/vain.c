/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 looks for a message three times, in vain if LATE is set, and makes no choice at all;
 * rank 1 makes one.
 *
 * RANKS: 2 */
#include "digest.h"

int main(int argc, char **argv)
{
    MPI_Status status;
    int got, found = 0;

    begin(&argc, &argv);
    if (me == (getenv("LATE") != NULL ? 1 : 0))
        usleep(300000);
    if (me == 0) {
        for (int i = 0; i < 3 && !found; i++)
            MPI_Iprobe(1, 0, MPI_COMM_WORLD, &found, &status);
        printf("found %d\n", found);
        MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &status);
        MPI_Send(&me, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send(&me, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    }
    return end();
}
