/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank leaves the inner loop when its own value is small enough: rank 1 one round later than
 * rank 0 in the second step, and one round earlier in the third. The calls fit together, but the
 * sums are of values that do not belong together.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: collective-shift warning
 * SAYS: warning: collective-shift: on MPI_COMM_WORLD, rank 1 is 1 collective call behind rank 0: MPI_Allreduce \(.*:27\) meets MPI_Allreduce \(.*:30\)
 * SAYS: All ranks made the first 8 collective calls on MPI_COMM_WORLD at the same places
 * PLAIN: ends
 */
#include <mpi.h>

static const int rounds[][4] = {{4, 3, 5, 4}, {4, 4, 4, 4}};

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 4; step++) {
        double own = rounds[rank][step], value, sum, energy;
        do {
            value = own;
            MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            own -= 1;
        } while (own > 0);
        MPI_Allreduce(&value, &energy, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
