/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Wait for a cancelled send is local, so there is no deadlock, but libraries exist that
 * hang here.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * INTERRUPT: 13
 * SAYS: rank 0 waits in MPI_Wait for a send that was cancelled: MPI requires that call to return
 * PLAIN: any
 * EXIT: 0 66 130
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int out = 1;
    MPI_Request request[1];

    MPI_Init(&argc, &argv);
    puts("started");
    fflush(stdout);
    MPI_Issend(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Cancel(&request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    printf("done\n");
    MPI_Finalize();
    return 0;
}
