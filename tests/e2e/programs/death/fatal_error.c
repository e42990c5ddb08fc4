/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 sends to a rank that there is not, under MPI_ERRORS_ARE_FATAL.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * PLAIN: compared
 * FINDING: invalid-argument error
 * SAYS: MPI_Send at fatal_error.c:\d+ of rank 1 failed with (MPI_ERR_RANK: invalid|Invalid) rank, and its error handler
 * SAYS_LINE: DEED
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int in = 0;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        usleep(300000); /* the other ranks enter their calls */
        MPI_Send(&in, 1, MPI_INT, 99, 0, MPI_COMM_WORLD); /* DEED */
    }
    if (rank == 0)
        MPI_Recv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
