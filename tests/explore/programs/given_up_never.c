/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 takes a message of each other rank, and then probes for another one of rank 1 in a loop
 * that never gives up. That it might is tried once after each order of the first two messages.
 *
 * RANKS: 3
 * EXPLORE: 4 orders, 6 ended, 2 repeated, exit 0 */
#include "small.h"

int main(int argc, char **argv)
{
    int found = 0;

    begin(&argc, &argv);
    if (me != 0) {
        send_to(0, me);
        if (me == 1)
            MPI_Send(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
        return end();
    }
    for (int i = 1; i < ranks; i++)
        receive_from(MPI_ANY_SOURCE);
    while (!found) {
        MPI_Iprobe(1, 1, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        usleep(200);
    }
    MPI_Recv(NULL, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return end();
}
