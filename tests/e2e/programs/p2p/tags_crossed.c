/* SPDX-License-Identifier: BSD-3-Clause */
/* Two messages are received in the opposite order of their sending, which needs one buffer.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * OUTPUT: 1
 * CLASS: potential
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * ADVISES: Let rank 0 call MPI_Send \(tags_crossed.c:\d+\) before MPI_Send
 * CALL: 0 MPI_Send
 * CALL: 1 MPI_Recv HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&out, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(&out, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
        printf("%d\n", out);
    } else {
        MPI_Recv(&in, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
        MPI_Recv(&in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
