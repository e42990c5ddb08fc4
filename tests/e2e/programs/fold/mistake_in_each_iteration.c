/* SPDX-License-Identifier: BSD-3-Clause */
/* The same mistake in each iteration is one finding that says how often; the iterations are not
 * equal then. Those of the loop before are.
 *
 * RANKS: 2
 * FOLDS: yes
 * EXPECT: no-deadlock
 * FINDING: type-mismatch error
 * SAYS: 3000 messages
 * SAYS_LINE: OTHER
 */
#include <mpi.h>

enum { BEFORE = 20000, WRONG = 3000 };

int main(int argc, char **argv)
{
    int rank;
    int value = 0;
    float other = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < BEFORE; i++) {
        if (rank == 0)
            MPI_Ssend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        else
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < WRONG; i++) {
        if (rank == 0)
            MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        else
            MPI_Recv(&other, 1, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* OTHER */
    }
    MPI_Finalize();
    return 0;
}
