/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 11.5.5: if one rank asserts MPI_MODE_NOPRECEDE or MPI_MODE_NOSUCCEED, all must.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: collective-mismatch error
 * SAYS: different values of assert to MPI_Win_fence on .*: none at ranks 0 and 2 \(.*\), MPI_MODE_NOPRECEDE at rank 1
 * SAYS: different values of assert to MPI_Win_fence on .*: MPI_MODE_NOSUCCEED at rank 1 \(.*\), none at rank 2 \(.*\), MPI_MODE_NOPRECEDE \| MPI_MODE_NOSUCCEED at rank 0|MPI_MODE_NOPRECEDE \| MPI_MODE_NOSUCCEED at rank 0 \(.*\), MPI_MODE_NOSUCCEED at rank 1 \(.*\), none at rank 2
 * SAYS: All ranks must pass the same assert \(MPI-3.1 section 11.5.5\)
 * EXIT: 66
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Win win;
    int rank, word = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&word, sizeof(word), sizeof(word), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(rank == 1 ? MPI_MODE_NOPRECEDE : 0, win);
    MPI_Win_fence(rank == 0   ? MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED
                  : rank == 1 ? MPI_MODE_NOSUCCEED
                              : 0,
                  win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
