/* SPDX-License-Identifier: BSD-3-Clause */
/* The tags are drawn at random: what a run did cannot be repeated.
 *
 * RANKS: 3
 * EXPLORE (bounds runs=3): 1+ orders, 3 ended, 1+ diverged, 0+ left, incomplete, exit 0 */
#include "small.h"

#include <sys/random.h>

int main(int argc, char **argv)
{
    unsigned tag = 0;

    begin(&argc, &argv);
    if (me == 0 && getrandom(&tag, 2, 0) != 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Bcast(&tag, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
    if (me != 0)
        MPI_Send(&me, 1, MPI_INT, 0, (int)tag, MPI_COMM_WORLD);
    for (int i = 1, got; me == 0 && i < ranks; i++)
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, (int)tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return end();
}
