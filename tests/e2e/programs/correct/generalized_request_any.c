/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Waitany with a generalized request that is complete: it returns, and only then rank 0 sends
 * what its receive depends on.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: received 7
 */
#include <mpi.h>
#include <stdio.h>

static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int release(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    MPI_Request request[2];
    int rank, index, word = 7;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Grequest_start(query, release, cancel, NULL, &request[0]);
        MPI_Irecv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[1]);
        MPI_Grequest_complete(request[0]);
        MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
        MPI_Ssend(&rank, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        printf("received %d\n", word);
    } else {
        MPI_Recv(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
