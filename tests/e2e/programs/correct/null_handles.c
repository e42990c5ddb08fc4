/* SPDX-License-Identifier: BSD-3-Clause */
/* After an object is freed its handle is null: with MPI_ERRORS_RETURN calls on it fail, again and
 * again, and the program goes on.
 *
 * RANKS: 2
 * EXPECT: clean
 * MAYBE: request-misuse
 * FINDING: invalid-handle warning
 * OUTPUT: got 5
 */
#include <mpi.h>
#include <stdio.h>

static void use_freed(int peer)
{
    int word = 1;
    MPI_Comm comm;
    MPI_Request request;
    MPI_Win window;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_free(&comm);
    MPI_Send(&word, 1, MPI_INT, peer, 0, comm);
    MPI_Irecv(&word, 1, MPI_INT, peer, 0, comm, &request);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    MPI_Recv_init(&word, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Cancel(&request);
    MPI_Request_free(&request);
    MPI_Win_create(&word, sizeof(word), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_free(&window);
    MPI_Win_fence(0, window);
    MPI_Win_lock(MPI_LOCK_SHARED, peer, 0, window);
    MPI_Win_unlock(peer, window);
    MPI_Win_free(&window);
}

int main(int argc, char **argv)
{
    int rank;
    int word = 5;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 20; i++)
        use_freed(1 - rank);
    MPI_Sendrecv_replace(&word, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("got %d\n", word);
    MPI_Finalize();
    return 0;
}
