/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of one-sided operations are cancelled and freed (MPI-3.1 section 11.3.5). To complete
 * them before or after the epoch ends is right.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: request-misuse error
 * SAYS: MPI_Cancel \(rma_request_misuse.c:\d+\) of ranks 0 and 1 cancels an RMA operation
 * SAYS: MPI_Request_free \(rma_request_misuse.c:\d+\) of ranks 0 and 1 frees the request of an RMA operation
 * SAYS: 2 findings
 * SAYS_LINE: CANCEL
 * SAYS_LINE: FREE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, one = 1, *memory;
    MPI_Request request[4];
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, win);
    for (int i = 0; i < 4; i++)
        MPI_Rput(&one, 1, MPI_INT, 1 - rank, i, 1, MPI_INT, win, &request[i]);
    MPI_Cancel(&request[0]); /* CANCEL */
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    MPI_Win_unlock(1 - rank, win);
    MPI_Wait(&request[2], MPI_STATUS_IGNORE);
    MPI_Request_free(&request[3]); /* FREE */
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
