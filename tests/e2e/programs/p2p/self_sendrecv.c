/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Sendrecv with oneself.
 *
 * RANKS: 1
 * EXPECT: clean
 * OUTPUT: 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int in = 0;
    int out = 1;

    MPI_Init(&argc, &argv);
    MPI_Sendrecv(&out, 1, MPI_INT, 0, 0, &in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d\n", in);
    MPI_Finalize();
    return 0;
}
