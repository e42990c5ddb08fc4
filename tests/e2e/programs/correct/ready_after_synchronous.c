/* SPDX-License-Identifier: BSD-3-Clause */
/* A ready send after a synchronous one: its receive was posted before that of the first.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, first = 1, second = 2;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Ssend(&first, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Rsend(&second, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(&second, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request);
        MPI_Recv(&first, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
