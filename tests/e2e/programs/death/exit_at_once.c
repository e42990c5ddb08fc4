/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 leaves by _exit(0): the exit code hides that something is wrong.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: abnormal-end error
 * SAYS: rank 0: MPI_Recv.*waits for 1
 * SAYS_LINE: HERE
 * SAYS: rank 1 exited with code 0 at exit_at_once.c:\d+ without MPI_Finalize, after MPI_Barrier at exit_at_once.c:
 * SAYS_LINE: DEED
 * EXIT: 66
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
    if (rank == 1)
        _exit(0); /* DEED */
    if (rank == 0)
        MPI_Recv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
