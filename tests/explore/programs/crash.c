/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 crashes if the message of rank 2 is the first.
 *
 * RANKS: 3
 * EXPLORE: 2 orders, 1 ended, 1 signal, exit 66 */
#include "small.h"

int main(int argc, char **argv)
{
    static int known;
    int *volatile place[] = {NULL, &known, NULL};

    begin(&argc, &argv);
    if (me != 0) {
        send_to(0, me);
        return end();
    }
    *place[receive_from(MPI_ANY_SOURCE)] = 1;
    receive_from(MPI_ANY_SOURCE);
    return end();
}
