/* SPDX-License-Identifier: BSD-3-Clause */
/* Parents and children, merged to one communicator, each receive from their left neighbour.
 *
 * RANKS: 2
 * REPORT_RANKS: 4
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2 3
 * ROOTS: {0,1,2,3}
 * CALL: 0 MPI_Recv HERE
 * CALL: 3 MPI_Recv HERE
 * SAYS_LINE: HERE
 * SAYS: MPI_Intercomm_merge of \(MPI_Comm_spawn of MPI_COMM_WORLD, at spawn_merge_ring.c:\d+\), at spawn_merge_ring.c:\d+
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int in = 0;
    int is_child;
    MPI_Comm other;
    MPI_Comm all;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&other);
    is_child = other != MPI_COMM_NULL;
    if (!is_child)
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other,
                       MPI_ERRCODES_IGNORE);
    MPI_Intercomm_merge(other, is_child, &all);
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &size);
    MPI_Recv(&in, 1, MPI_INT, (rank + size - 1) % size, 0, all, MPI_STATUS_IGNORE); /* HERE */
    MPI_Finalize();
    return 0;
}
