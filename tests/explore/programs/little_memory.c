/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 sends rank 1 many messages, which only one rank can send; after each hundred it waits
 * until they are there. Then rank 0 takes a message of each other rank. The clocks of so many
 * receives from any rank do not fit into a mebibyte, so they are simplified; all orders are found
 * nevertheless, but the report cannot know that.
 *
 * RANKS: 3
 * EXPLORE (queue-limit 1): 2 orders, 2 ended, incomplete, exit 0
 * SAYS: in 2 runs, the clocks .* needed too much memory */
#include "small.h"

enum { BATCHES = 400, BATCH = 100 };

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    for (int i = 0; i < BATCHES && me < 2; i++) {
        for (int k = 0; k < BATCH && me == 0; k++)
            send_to(1, k);
        for (int k = 0; k < BATCH && me == 1; k++)
            receive_from(MPI_ANY_SOURCE);
        if (me == 0)
            receive_from(1);
        else
            send_to(0, i);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (me != 0)
        send_to(0, me);
    for (int i = 1; i < ranks && me == 0; i++)
        receive_from(MPI_ANY_SOURCE);
    return end();
}
