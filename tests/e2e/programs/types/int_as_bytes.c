/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 3.3.1: MPI_BYTE matches only MPI_BYTE. The receive is from any source.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: type-mismatch error
 * SAYS: rank 1 sends 12 x MPI_BYTE \(MPI_Ssend at int_as_bytes.c:\d+\), but rank 0 receives 3 x
 * MPI_INT \(MPI_Recv at
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word[3] = {1, 2, 3};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Recv(word, 3, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Ssend(word, (int)sizeof(word), MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
