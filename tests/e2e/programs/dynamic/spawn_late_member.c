/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 waits for a message before it joins MPI_Comm_spawn, in which the sender already is.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Comm_spawn HERE
 * CALL: 1 MPI_Recv HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    MPI_Comm all = MPI_COMM_WORLD;
    MPI_Comm children;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&children);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (children == MPI_COMM_NULL) {
        if (rank == 1)
            MPI_Recv(&in, 1, MPI_INT, 0, 0, all, MPI_STATUS_IGNORE);                /* HERE */
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 1, all, &children, /* HERE */
                       MPI_ERRCODES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
