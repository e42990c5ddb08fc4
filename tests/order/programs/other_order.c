/* SPDX-License-Identifier: BSD-3-Clause */
/* It ends well, because the message of rank 1 is always the first. In the other order, rank 0 waits
 * for a second one of rank 2.
 *
 * RANKS: 3 */
#include "digest.h"

int main(int argc, char **argv)
{
    int got;

    begin(&argc, &argv);
    if (me == 0) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, 2, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        usleep(500000 * (useconds_t)me);
        MPI_Send(&me, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return end();
}
