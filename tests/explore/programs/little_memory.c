/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks 0 and 1 send each other many messages, which only one rank can send. Then rank 0 takes a
 * message of each other rank. The clocks of so many receives from any rank do not fit into a
 * mebibyte, so they are simplified; all orders are found nevertheless, but the report cannot know
 * that.
 *
 * RANKS: 4
 * EXPLORE (queue-limit 1): 6 orders, 6 ended, incomplete, exit 0
 * SAYS: in 6 runs, the clocks .* needed too much memory */
#include "small.h"

enum { ROUNDS = 20000 };

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int i = 0; i < ROUNDS && me < 2; i++) {
        if (me == 1)
            receive_from(MPI_ANY_SOURCE);
        send_to(1 - me, i);
        if (me == 0)
            receive_from(MPI_ANY_SOURCE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (me != 0)
        send_to(0, me);
    for (int i = 1; i < ranks && me == 0; i++)
        receive_from(MPI_ANY_SOURCE);
    return end();
}
