/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 asks for a message until there is one, and crashes if that of rank 2 is the first.
 *
 * RANKS: 3
 * EXPLORE: 2+ orders, 1+ ended, 1+ signal, 0+ repeated, exit 66 */
#include "small.h"

int main(int argc, char **argv)
{
    MPI_Status status;
    int found = 0;

    begin(&argc, &argv);
    if (me != 0) {
        send_to(0, me);
        return end();
    }
    while (!found)
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &found, &status);
    receive_from(status.MPI_SOURCE);
    if (status.MPI_SOURCE == 2)
        abort();
    receive_from(2);
    return end();
}
