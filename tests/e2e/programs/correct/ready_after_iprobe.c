/* SPDX-License-Identifier: BSD-3-Clause */
/* A ready send to who was heard: MPI_Iprobe saw what it sent after it had posted its receive.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 1, answer = 2, found = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        while (!found)
            MPI_Iprobe(1, 1, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        MPI_Rsend(&answer, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
        MPI_Recv(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Irecv(&answer, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request);
        MPI_Send(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
