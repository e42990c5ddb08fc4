/* SPDX-License-Identifier: BSD-3-Clause */
/* A ring without a choice.
 *
 * RANKS: 3
 * EXPLORE: 1 order, 1 ended, exit 0 */
#include "small.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    if (me == 0)
        send_to(1, 0);
    receive_from((me + ranks - 1) % ranks);
    if (me != 0)
        send_to((me + 1) % ranks, me);
    return end();
}
