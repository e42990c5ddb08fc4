/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank gives up on a communicator of its own while the others send, receive and wait. Its exit
 * code comes out unchanged.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * EXIT: 41
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int word = 1;
    MPI_Request request;
    MPI_Comm alone;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_SELF, &alone);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Ssend(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Irecv(&word, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        usleep(100000);
        MPI_Abort(alone, 41);
    }
    MPI_Finalize();
    return 0;
}
