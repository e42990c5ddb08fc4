/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks 0 and 1 are at calls that do not fit together, while rank 2 does something else for long.
 * That is reported as soon as it is certain, and not only when the job hangs or ends.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * INTERRUPT: 6
 * SAYS: collective-mismatch: (.|\n)*where the ranks were when the run was stopped
 * SAYS_LINE: HERE
 * EXIT: 66 130
 * PLAIN: hangs
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 1;
    int out;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        printf("begun\n");
        fflush(stdout);
        MPI_Barrier(MPI_COMM_WORLD); /* HERE */
    } else if (rank == 1) {
        MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* HERE */
    }
    while (rank == 2)
        pause();
    MPI_Finalize();
    return 0;
}
