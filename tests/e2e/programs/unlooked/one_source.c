/* SPDX-License-Identifier: BSD-3-Clause */
/* What looks as if other orders were possible, and has one: MPI_ANY_SOURCE with one other rank in
 * the communicator, MPI_ANY_TAG from a named rank. Windows without memory have nothing to load or
 * store, and small send buffers are compared.
 *
 * RANKS: 3
 * EXPECT: clean
 * NEVER_SAYS: note:
 */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, size, value = 1;
    MPI_Request request;
    MPI_Comm pair;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 2, rank, &pair);
    MPI_Comm_size(pair, &size);
    if (size == 2 && rank == 0)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, pair, MPI_STATUS_IGNORE);
    if (size == 2 && rank == 1) {
        MPI_Isend(&value, 1, MPI_INT, 0, 0, pair, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank == 2)
        MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(&value, 1, MPI_INT, 2, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_free(&win);
    MPI_Comm_free(&pair);
    MPI_Finalize();
    return 0;
}
