/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 5.4: rank 1 expects more than the root sends. Open MPI broadcasts so long a
 * buffer in segments, and rank 1 waits for those that nobody sends. That is no deadlock of the
 * calls; the run ends because of the mismatch.
 *
 * RANKS: 4
 * EXPECT: no-deadlock
 * FINDING: count-mismatch error
 * SAYS: rank 0 sends 100000 x MPI_INT .*, but rank 1 receives 1400000 x MPI_INT
 * EXIT: 66
 * PLAIN: any
 */
#include <mpi.h>
#include <stdlib.h>

enum { COUNT = 100000 };

int main(int argc, char **argv)
{
    int rank, *data;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    data = calloc(14 * COUNT, sizeof(*data));
    MPI_Bcast(data, rank == 1 ? 14 * COUNT : COUNT, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    free(data);
    MPI_Finalize();
    return 0;
}
