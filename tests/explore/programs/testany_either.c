/* SPDX-License-Identifier: BSD-3-Clause */
/* As testany_first.c, but both ranks send statistics: no index leads to a deadlock.
 *
 * RANKS: 3
 * NIGHTLY: 4 orders, 4+ ended, 0+ repeated, exit 0 */
#include "small.h"

int main(int argc, char **argv)
{
    MPI_Request request[2];
    int value[2], index, flag = 0;

    begin(&argc, &argv);
    if (me != 0) {
        send_to(0, me);
        send_to(0, me);
        return end();
    }
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&value[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &request[i]);
    while (!flag)
        MPI_Testany(2, request, &index, &flag, MPI_STATUS_IGNORE);
    receive_from(index + 1);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    receive_from(2 - index);
    return end();
}
