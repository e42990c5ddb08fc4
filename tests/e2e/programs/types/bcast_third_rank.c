/* SPDX-License-Identifier: BSD-3-Clause */
/* One rank of a broadcast has a larger count. The library may pass on as much, and end the run at a
 * third rank, for which that is too long: this is one finding.
 *
 * RANKS: 4
 * EXPECT: no-deadlock
 * FINDING: count-mismatch error
 * SAYS: rank 0 sends 8 x MPI_INT \(.*\), but rank 1 receives 16 x MPI_INT
 * SAYS: 1 finding \(1 error\)
 * EXIT: 66
 * PLAIN: any
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word[16] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(word, rank == 1 ? 16 : 8, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
