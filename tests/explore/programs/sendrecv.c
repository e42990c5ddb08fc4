/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Sendrecv with any source: the answer of rank 1 or the message of rank 2.
 *
 * RANKS: 3
 * EXPLORE: 2 orders, 1 ended, 1 ended, exit 66 */
#include "small.h"

int main(int argc, char **argv)
{
    MPI_Status status;
    int got;

    begin(&argc, &argv);
    if (me == 0) {
        MPI_Sendrecv(&me, 1, MPI_INT, 1, 0, &got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
                     &status);
        printf("%d\n", status.MPI_SOURCE);
        receive_from(MPI_ANY_SOURCE);
    }
    if (me == 1)
        receive_from(0);
    if (me != 0)
        send_to(0, me);
    return end();
}
