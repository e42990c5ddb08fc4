/* SPDX-License-Identifier: BSD-3-Clause */
/* Any tag, but of one source: there is only one order.
 *
 * RANKS: 2
 * EXPLORE: 1 order, 1 ended, exit 0 */
#include "small.h"

int main(int argc, char **argv)
{
    int got;

    begin(&argc, &argv);
    for (int tag = 1; me == 1 && tag <= 3; tag++)
        MPI_Send(&me, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    for (int i = 0; me == 0 && i < 3; i++)
        MPI_Recv(&got, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return end();
}
