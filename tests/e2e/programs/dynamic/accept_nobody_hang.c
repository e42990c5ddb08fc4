/* SPDX-License-Identifier: BSD-3-Clause */
/* Nobody connects to the port, and the others wait in MPI_Finalize: the job hangs, over something
 * that is not part of it.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * INTERRUPT: 13
 * SAYS: rank 1 waits in MPI_Comm_accept for a process outside this run
 * SAYS: rank 1: MPI_Comm_accept.* in main, the tool cannot see what it waits for
 * SAYS_LINE: HERE
 * PLAIN: hangs
 * EXIT: 66 130
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Open_port(MPI_INFO_NULL, port);
        puts("started");
        fflush(stdout);
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other); /* HERE */
    }
    MPI_Finalize(); /* HERE */
    return 0;
}
