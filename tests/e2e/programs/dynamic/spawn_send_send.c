/* SPDX-License-Identifier: BSD-3-Clause */
/* A parent and its child send to each other before they receive: only buffering lets that pass.
 *
 * RANKS: 1
 * REPORT_RANKS: 2
 * EXPECT: deadlock
 * CLASS: potential
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Send HERE
 * CALL: 1 MPI_Send HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int out = 1;
    int in = 0;
    MPI_Comm other;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&other);
    if (other == MPI_COMM_NULL)
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other,
                       MPI_ERRCODES_IGNORE);
    MPI_Send(&out, 1, MPI_INT, 0, 0, other); /* HERE */
    MPI_Recv(&in, 1, MPI_INT, 0, 0, other, MPI_STATUS_IGNORE);
    MPI_Comm_disconnect(&other);
    MPI_Finalize();
    return 0;
}
