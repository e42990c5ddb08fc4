/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 probes some times for messages of ranks 1 and 2 in turn. If there is none, it takes that
 * of rank 2 without a probe, although it may be that of rank 1 for which it has room. The probes
 * of either rank are successful in the first round, in a later one, or in none.
 *
 * RANKS: 3
 * EXPLORE: 5 orders, 4 ended, 1 exit, exit 66
 * SAYS: rank 0, choice 1, MPI_Iprobe at .*: was unsuccessful until the rank gave up */
#include "small.h"

enum { ROUNDS = 20, WRONG = 7, PAUSE_US = 200000 };

int main(int argc, char **argv)
{
    int found = 0, first = 0;

    begin(&argc, &argv);
    if (me != 0)
        send_to(0, me);
    if (me == 0) {
        usleep(PAUSE_US);
        for (int i = 0; i < 2 * ROUNDS && !found; i++) {
            first = 1 + i % 2;
            MPI_Iprobe(first, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        }
        if (!found)
            first = 2;
        receive_from(first);
        receive_from(3 - first);
    }
    end();
    return me == 0 && !found ? WRONG : 0;
}
