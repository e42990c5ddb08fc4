/* SPDX-License-Identifier: BSD-3-Clause */
/* Two spawned processes wait for each other; their parents wait for them to disconnect.
 *
 * RANKS: 2
 * REPORT_RANKS: 4
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2 3
 * ROOTS: {2,3}
 * CALL: 0 MPI_Comm_disconnect HERE
 * CALL: 1 MPI_Comm_disconnect HERE
 * CALL: 2 MPI_Recv HERE
 * CALL: 3 MPI_Recv HERE
 * SAYS_LINE: HERE
 * SAYS: Ranks 2-3 are ranks 0-1 of job 2, spawned by rank 0 in MPI_Comm_spawn at
 * SAYS: rank 2: MPI_Recv\(peer 1 \(rank 3\), tag 0, MPI_COMM_WORLD of job 2\)
 * SAYS: rank 3: MPI_Recv\(peer 0 \(rank 2\), tag 0, MPI_COMM_WORLD of job 2\)
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
    if (other == MPI_COMM_NULL)
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other,
                       MPI_ERRCODES_IGNORE);
    else
        MPI_Recv(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Comm_disconnect(&other);                                                  /* HERE */
    MPI_Finalize();
    return 0;
}
