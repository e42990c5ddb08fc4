/* SPDX-License-Identifier: BSD-3-Clause */
/* The exit code tells which message was the first.
 *
 * RANKS: 4
 * EXPLORE: 6 orders, 2 ended, 2 exit, 2 exit, exit 66 */
#include "small.h"

int main(int argc, char **argv)
{
    int first = 1;

    begin(&argc, &argv);
    for (int i = 1; me == 0 && i < ranks; i++) {
        int source = receive_from(MPI_ANY_SOURCE);
        first = i == 1 ? source : first;
    }
    if (me != 0)
        send_to(0, me);
    end();
    return first - 1;
}
