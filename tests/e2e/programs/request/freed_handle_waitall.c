/* SPDX-License-Identifier: BSD-3-Clause */
/* Both ranks wait with a copy of a handle that was freed while its receive was active. Nobody can
 * say when that returns, and the report says where the ranks are.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * MAYBE: request-misuse
 * INTERRUPT: 2
 * SAYS: ranks 0, 1: MPI_Waitall at .*freed_handle_waitall.c:\d+ in main \[waits for a request that the tool does not know
 * PLAIN: hangs
 * EXIT: 66 130
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, word = 0;
    MPI_Request request, copy;

    MPI_Init(&argc, &argv);
    puts("started");
    fflush(stdout);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(&word, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    copy = request;
    MPI_Request_free(&request);
    MPI_Waitall(1, &copy, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
