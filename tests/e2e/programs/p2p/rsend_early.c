/* SPDX-License-Identifier: BSD-3-Clause */
/* A ready send whose receive is posted later is an error of the program, but no deadlock.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * OUTPUT: 1
 * SAYS: MPI_Rsend
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Rsend(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* HERE */
        printf("%d\n", out);
    } else {
        usleep(50000);
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
