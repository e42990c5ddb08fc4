/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 probes for a message of each other rank in turn, at one place of the program, and receives
 * the first one that it finds. The message of rank 2 is late: that it is found first is only known
 * if it is tried. Each rank is found at its first probe, or when both were probed for in vain.
 *
 * RANKS: 3
 * NIGHTLY: 4 orders, 2+ ended, 2+ exit, 0+ repeated, exit 66 */
#include "small.h"

int main(int argc, char **argv)
{
    int found = 0, from = 2;

    begin(&argc, &argv);
    if (me != 0) {
        usleep(me == 2 ? 500000 : 0);
        send_to(0, me);
        return end();
    }
    usleep(100000);
    while (!found) {
        from = 3 - from;
        MPI_Iprobe(from, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    }
    receive_from(from);
    receive_from(3 - from);
    end();
    return from == 1 ? 0 : 7;
}
