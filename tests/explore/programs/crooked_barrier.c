/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 2 sends after the barrier, rank 0 before it; the receive of rank 1 was posted before it, but
 * waits for its message afterwards. So it can take either message, and the author forgot one.
 *
 * RANKS: 3
 * EXPLORE: 2 orders, 1 ended, 1 signal, exit 66 */
#include "small.h"

#include <assert.h>

int main(int argc, char **argv)
{
    MPI_Request request;
    int value = 0;

    begin(&argc, &argv);
    if (me == 0)
        send_to(1, 22);
    if (me == 1)
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 2)
        send_to(1, 33);
    if (me == 1) {
        receive_from(MPI_ANY_SOURCE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        assert(value == 22);
    }
    return end();
}
