/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ranks send 16 bytes first and receive then: longer than what is said to be buffered.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * OUTPUT: done
 * CLASS: potential
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * OPTIONS: --must:sends=eager=15
 * SAYS_LINE: HERE
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
