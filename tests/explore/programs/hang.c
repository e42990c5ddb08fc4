/* SPDX-License-Identifier: BSD-3-Clause */
/* If the message of rank 2 is the first, rank 0 waits for something that is no message.
 *
 * RANKS: 3
 * EXPLORE (hang-after 3): 2 orders, 1 ended, 1 hang, incomplete, exit 66 */
#include "small.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (me != 0) {
        send_to(0, me);
        return end();
    }
    if (receive_from(MPI_ANY_SOURCE) == 2)
        pause();
    receive_from(MPI_ANY_SOURCE);
    return end();
}
