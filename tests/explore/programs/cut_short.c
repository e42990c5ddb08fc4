/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 aborts when the message of rank 2 is the first. Rank 3 would receive messages later on; in
 * which order, that run does not show.
 *
 * RANKS: 4
 * EXPLORE: 3 orders, 2 ended, 1+ exit, 0+ repeated, incomplete, exit 66
 * SAYS: Every known order was run, but there may be more
 * SAYS: in . runs?, some rank was ended before it had made its last call */
#include "small.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (me == 0) {
        if (receive_from(MPI_ANY_SOURCE) == 2) {
            usleep(500000); /* ranks 1 and 2 have finished then */
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
        receive_from(MPI_ANY_SOURCE);
        return end();
    }
    if (me != 3) {
        usleep(me == 2 ? 200000 : 0);
        send_to(0, me);
        send_to(3, me);
        return end();
    }
    sleep(2);
    receive_from(MPI_ANY_SOURCE);
    receive_from(MPI_ANY_SOURCE);
    return end();
}
