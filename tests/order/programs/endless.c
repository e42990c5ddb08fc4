/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 receives from anybody and answers, for up to a minute; it says "going" when it has made
 * some hundred choices. The test ends this job by force.
 *
 * RANKS: 3 */
#include "digest.h"

enum { SOME = 300, SECONDS = 60 };

static int stop(double start)
{
    return MPI_Wtime() - start > SECONDS;
}

static void answer(double start)
{
    MPI_Status status;
    int got;

    for (int n = 1, working = ranks - 1; working > 0; n++) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        int last = stop(start);
        working -= last;
        MPI_Send(&last, 1, MPI_INT, status.MPI_SOURCE, 2, MPI_COMM_WORLD);
        if (n == SOME) {
            printf("going\n");
            fflush(stdout);
        }
    }
}

int main(int argc, char **argv)
{
    int last = 0;

    begin(&argc, &argv);
    if (me == 0)
        answer(MPI_Wtime());
    while (me != 0 && !last) {
        MPI_Send(&me, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Recv(&last, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        usleep(500);
    }
    return end();
}
