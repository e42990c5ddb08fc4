/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ranks send first and receive then. Whoever says that sends are buffered gets no report.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: done
 * OPTIONS: --must:sends buffered
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int me;
    int word[4] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Send(word, 4, MPI_INT, 1 - me, 0, MPI_COMM_WORLD); /* HERE */
    MPI_Recv(word, 4, MPI_INT, 1 - me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (me == 0)
        puts("done");
    MPI_Finalize();
    return 0;
}
