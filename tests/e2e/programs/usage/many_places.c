/* SPDX-License-Identifier: BSD-3-Clause */
/* More wrong calls, each at a place of its own, than are kept of a rank: the rest is counted.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: invalid-argument warning
 * SAYS: at most 4,096 different mistakes are reported of one rank: 4 further wrong calls and leaks of rank 0 are not reported
 */
#include <mpi.h>

#define WRONG MPI_Send(&value, -1, MPI_INT, 0, 0, MPI_COMM_SELF);
#define FOUR(x) x x x x
#define WRONG_64 FOUR(FOUR(FOUR(WRONG)))

int main(int argc, char **argv)
{
    int value = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    FOUR(FOUR(FOUR(WRONG_64)))
    FOUR(WRONG)
    MPI_Finalize();
    return 0;
}
