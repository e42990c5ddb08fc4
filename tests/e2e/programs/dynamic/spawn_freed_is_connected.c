/* SPDX-License-Identifier: BSD-3-Clause */
/* A communicator that was freed, but not disconnected, leaves its processes connected: the child
 * does not leave MPI_Finalize before its parent is there, which waits for a message of the child.
 *
 * RANKS: 1
 * REPORT_RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv HERE
 * CALL: 1 MPI_Finalize HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int in = 0;
    int is_child;
    MPI_Comm other;
    MPI_Comm copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&other);
    is_child = other != MPI_COMM_NULL;
    if (!is_child)
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other,
                       MPI_ERRCODES_IGNORE);
    MPI_Comm_dup(other, &copy);
    MPI_Comm_free(&copy);
    if (!is_child)
        MPI_Recv(&in, 1, MPI_INT, 0, 0, other, MPI_STATUS_IGNORE); /* HERE */
    MPI_Finalize();                                                /* HERE */
    return 0;
}
