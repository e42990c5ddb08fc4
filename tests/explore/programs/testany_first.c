/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 tests for the results of two ranks, and then waits for the statistics of the one whose
 * result is complete first. Only rank 1 sends any, so it deadlocks if MPI_Testany returns the other
 * index. Each index comes from the first test and after unsuccessful ones.
 *
 * RANKS: 3
 * EXPLORE: 4 orders, 2+ ended, 2+ deadlock, 0+ repeated, exit 66 */
#include "small.h"

int main(int argc, char **argv)
{
    MPI_Request request[2];
    int value[2], index, flag = 0;

    begin(&argc, &argv);
    if (me != 0) {
        send_to(0, me);
        if (me == 1)
            send_to(0, me);
        return end();
    }
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&value[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &request[i]);
    while (!flag)
        MPI_Testany(2, request, &index, &flag, MPI_STATUS_IGNORE);
    receive_from(index + 1);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    return end();
}
