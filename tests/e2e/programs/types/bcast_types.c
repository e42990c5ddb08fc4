/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 5.4: the type signature at each process of an MPI_Bcast is that of the root. Here
 * the lengths are the same, so that the library does not notice it. Twice, at one place.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: type-mismatch error
 * SAYS: rank 0 sends 4 x MPI_INT \(MPI_Bcast at bcast_types.c:\d+\), but ranks 1 and 2 receive 4 x MPI_FLOAT \(MPI_Bcast at bcast_types.c:\d+\), 4 times
 * SAYS: 1 finding
 * EXIT: 66
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word[4] = {0};
    float number[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2; i++) {
        if (rank == 0)
            MPI_Bcast(word, 4, MPI_INT, 0, MPI_COMM_WORLD);
        else
            MPI_Bcast(number, 4, MPI_FLOAT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
