/* SPDX-License-Identifier: BSD-3-Clause */
/* Both ranks send before they receive. Only because the library buffers the small messages
 * does the run end.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * OUTPUT: 1
 * CLASS: potential
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * ADVISES: Let (one of ranks 0 and 1|rank [01]) receive before .*, or use MPI_Sendrecv
 * CALL: 0 MPI_Send HERE
 * CALL: 1 MPI_Send HERE
 * SAYS_LINE: HERE
 * EXIT: 66
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
    MPI_Send(&out, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD); /* HERE */
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("%d\n", in);
    MPI_Finalize();
    return 0;
}
