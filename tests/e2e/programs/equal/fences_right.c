/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_MODE_NOSTORE and MPI_MODE_NOPUT are assertions of a rank alone.
 *
 * RANKS: 3
 * EXPECT: clean
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Win win;
    int rank, word = 0, one = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&word, sizeof(word), sizeof(word), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE | (rank != 2 ? MPI_MODE_NOPUT : 0), win);
    if (rank == 0)
        MPI_Put(&one, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED | (rank == 1 ? MPI_MODE_NOSTORE : 0), win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
