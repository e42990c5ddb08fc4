/* SPDX-License-Identifier: BSD-3-Clause */
/* Addition of floating point numbers is not associative: the sum depends on who is first.
 *
 * RANKS: 4
 * EXPLORE: 6 orders, 4 ended, 2 ended, exit 66
 * SAYS: where it differs: rank 0, line 1: "sum [01]" instead of "sum [01]"
 */
#include "small.h"

int main(int argc, char **argv)
{
    static const double summand[] = {0, 1e16, 1, -1e16};
    double sum = 0, got;

    begin(&argc, &argv);
    if (me != 0)
        MPI_Send(&summand[me], 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    for (int i = 1; me == 0 && i < ranks; i++) {
        MPI_Recv(&got, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += got;
    }
    if (me == 0)
        printf("sum %g\n", sum);
    return end();
}
