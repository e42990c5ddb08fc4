/* SPDX-License-Identifier: BSD-3-Clause */
/* No call depends on the order of messages.
 *
 * RANKS: 2 */
#include "digest.h"

int main(int argc, char **argv)
{
    int got;

    begin(&argc, &argv);
    if (me == 0)
        MPI_Send(&me, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return end();
}
