/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 2 sends after a nonblocking barrier that rank 0 enters only after its first receive: there
 * is one order.
 *
 * RANKS: 3
 * EXPLORE: 1 order, 1 ended, exit 0 */
#include "small.h"

int main(int argc, char **argv)
{
    MPI_Request request;

    begin(&argc, &argv);
    if (me == 1)
        send_to(0, 1);
    if (me == 0)
        receive_from(MPI_ANY_SOURCE);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (me == 2)
        send_to(0, 2);
    if (me == 0)
        receive_from(MPI_ANY_SOURCE);
    return end();
}
