/* SPDX-License-Identifier: BSD-3-Clause */
/* A parent and its child both receive first. The other parent goes on to MPI_Finalize, which waits
 * for all that are connected.
 *
 * RANKS: 2
 * REPORT_RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {1,2}
 * CALL: 0 MPI_Finalize HERE
 * CALL: 1 MPI_Recv HERE
 * CALL: 2 MPI_Recv HERE
 * SAYS_LINE: HERE
 * SAYS: Rank 2 is rank 0 of job 2, spawned by rank 1 in MPI_Comm_spawn at
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    MPI_Comm other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&other);
    if (other == MPI_COMM_NULL) {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 1, MPI_COMM_WORLD, &other,
                       MPI_ERRCODES_IGNORE);
        if (rank == 1)
            MPI_Recv(&in, 1, MPI_INT, 0, 0, other, MPI_STATUS_IGNORE); /* HERE */
    } else {
        MPI_Recv(&in, 1, MPI_INT, 1, 0, other, MPI_STATUS_IGNORE); /* HERE */
    }
    MPI_Finalize(); /* HERE */
    return 0;
}
