/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 exits with a code of its own, without MPI_Finalize.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: abnormal-end error
 * SAYS: rank 0: MPI_Recv.*waits for 1
 * SAYS_LINE: HERE
 * SAYS: rank 1 exited with code 3 at exit_code.c:\d+ without MPI_Finalize, after MPI_Barrier at exit_code.c:
 * SAYS_LINE: DEED
 * EXIT: 3
 */
#include <mpi.h>
#include <stdlib.h>
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
        exit(3); /* DEED */
    }
    if (rank == 0)
        MPI_Recv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
