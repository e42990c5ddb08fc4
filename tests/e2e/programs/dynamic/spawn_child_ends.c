/* SPDX-License-Identifier: BSD-3-Clause */
/* A child ends without MPI_Finalize while its parent waits for a message of it.
 *
 * RANKS: 2
 * REPORT_RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: abnormal-end error
 * SAYS: rank 2 exited with code 0 at spawn_child_ends.c:\d+ without MPI_Finalize
 * SAYS: rank 0: MPI_Recv.*waits for 2
 * SAYS_LINE: HERE
 * SAYS: Rank 2 is rank 0 of job 2, spawned by rank 0 in
 * EXIT: 66
 * PLAIN: any
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    MPI_Comm other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&other);
    if (other != MPI_COMM_NULL) {
        usleep(200000);
        _exit(0);
    }
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other,
                   MPI_ERRCODES_IGNORE);
    if (rank == 0)
        MPI_Recv(&in, 1, MPI_INT, 0, 0, other, MPI_STATUS_IGNORE); /* HERE */
    MPI_Comm_disconnect(&other);
    MPI_Finalize();
    return 0;
}
