/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 sends two messages with other tags: of one source they come in order, whatever their tags.
 *
 * RANKS: 3
 * EXPLORE: 3 orders, 3 ended, exit 0 */
#include "small.h"

int main(int argc, char **argv)
{
    int got;

    begin(&argc, &argv);
    for (int tag = 1; me == 1 && tag <= 2; tag++)
        MPI_Send(&me, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    if (me == 2)
        MPI_Send(&me, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    for (int i = 0; me == 0 && i < 3; i++)
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return end();
}
